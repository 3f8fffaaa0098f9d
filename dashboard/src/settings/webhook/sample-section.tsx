import { Skeleton, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CopyBox } from '../../components/copy-box.tsx'
import { CopyableText } from '../../components/copyable-text.tsx'
import { Section } from '../../components/page.tsx'
import { QueryState } from '../../components/query-state.tsx'
import { useTrpc } from '../../trpc/trpc.ts'
import { curlCommand, httpRequest } from './sample-request.ts'

/** A delivery to this tenant, signed with a secret that is valid for nothing else. */
export function SampleSection({ webhookUrl }: { webhookUrl: string | null }) {
  const query = useQuery(
    useTrpc().settings.sampleEvent.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }),
  )
  return (
    <Section
      title="Sample event"
      description="A delivery as your receiver gets it. Its signature is made with the example secret, so you can test your receiver before the first real event."
    >
      <QueryState query={query} loading={<Skeleton height={330} />}>
        {sample => (
          <>
            <Text size="sm" component="div">
              Example secret <CopyableText value={sample.secret} label="example secret" />
            </Text>
            <Tabs defaultValue="request">
              <Tabs.List aria-label="Sample event as">
                <Tabs.Tab value="request">Headers and body</Tabs.Tab>
                <Tabs.Tab value="curl">curl</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="request" pt="sm">
                <CopyBox value={httpRequest({ webhookUrl, ...sample })} label="sample event" />
              </Tabs.Panel>
              <Tabs.Panel value="curl" pt="sm">
                <Text size="sm" mb="xs">
                  Sends the event to a receiver on your machine that accepts the example secret.
                </Text>
                <CopyBox value={curlCommand({ webhookUrl, ...sample })} label="curl command" />
              </Tabs.Panel>
            </Tabs>
          </>
        )}
      </QueryState>
    </Section>
  )
}
