import { Anchor, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CopyBox } from '../../components/copy-box.tsx'
import { CopyableText } from '../../components/copyable-text.tsx'
import { Section } from '../../components/page.tsx'
import { QueryState } from '../../components/query-state.tsx'
import { useConfig } from '../../config.ts'
import { useTrpc } from '../../trpc/trpc.ts'
import { curlCommand } from './sample-request.ts'

/** A delivery to this tenant, signed with a secret that is valid for nothing else. */
export function SampleSection({ webhookUrl }: { webhookUrl: string | null }) {
  const { baseUrl } = useConfig()
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
            <Text size="sm">
              This sends the event to a receiver on your machine that accepts the example secret.{' '}
              <Anchor
                href={`${baseUrl}/docs/webhooks`}
                target="_blank"
                rel="noreferrer"
                inherit
                underline="always"
              >
                Receivers to copy
              </Anchor>
            </Text>
            <CopyBox value={curlCommand({ webhookUrl, ...sample })} label="curl command" />
          </>
        )}
      </QueryState>
    </Section>
  )
}
