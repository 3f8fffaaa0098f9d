import { Code, Skeleton, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import nodeReceiver from '../../../../docs/samples/receiver.mjs?raw'
import pythonReceiver from '../../../../docs/samples/receiver.py?raw'
import { CopyBox } from '../../components/copy-box.tsx'
import { CopyableText } from '../../components/copyable-text.tsx'
import { Section } from '../../components/page.tsx'
import { QueryState } from '../../components/query-state.tsx'
import { useConfig } from '../../config.ts'
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

const samples = [
  { name: 'node', label: 'Node', code: nodeReceiver, command: 'node receiver.mjs' },
  { name: 'python', label: 'Python', code: pythonReceiver, command: 'python3 receiver.py' },
]

/** The receivers of the guide to webhooks. Their settings come from environment variables. */
export function ReceiverSection() {
  const { baseUrl } = useConfig()
  const environment = `SERVICE_URL=${baseUrl} API_KEY=avk_… WEBHOOK_SECRETS=whsec_…`
  return (
    <Section
      title="Sample receiver"
      description="Verifies the signature of the raw body, responds immediately and ignores duplicates."
    >
      <Tabs defaultValue="node">
        <Tabs.List aria-label="Language">
          {samples.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {samples.map(({ name, label, code, command }) => (
          <Tabs.Panel key={name} value={name} pt="sm">
            <Stack gap="xs">
              <Text size="sm">
                Run it with <Code>{`${environment} ${command}`}</Code> behind a TLS-terminating proxy.
              </Text>
              <CopyBox value={code} label={`${label} receiver`} isCode />
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  )
}
