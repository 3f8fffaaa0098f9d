import { Code, Stack, Tabs, Text } from '@mantine/core'
import nodeReceiver from '../../../../docs/samples/receiver.mjs?raw'
import pythonReceiver from '../../../../docs/samples/receiver.py?raw'
import { CopyBox } from '../../components/copy-box.tsx'
import { Section } from '../../components/page.tsx'
import { useConfig } from '../../config.ts'

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
