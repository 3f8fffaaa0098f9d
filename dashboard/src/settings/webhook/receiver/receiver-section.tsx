import { Tabs, Text } from '@mantine/core'
import { useState } from 'react'
import { CopyBox } from '../../../components/copy-box.tsx'
import { Section } from '../../../components/page.tsx'
import { useMembership } from '../../../session/session-context.ts'
import { nodeReceiver } from './node-receiver.ts'
import { pathOf } from './path-of.ts'
import { pythonReceiver } from './python-receiver.ts'

const languages = [
  {
    value: 'node',
    label: 'Node',
    generate: nodeReceiver,
    command: 'WEBHOOK_SECRETS=whsec_… node receiver.mjs',
  },
  {
    value: 'python',
    label: 'Python',
    generate: pythonReceiver,
    command: 'WEBHOOK_SECRETS=whsec_… python3 receiver.py',
  },
]

/** Sample receivers with this tenant's ID and path. The secret comes from an environment variable. */
export function ReceiverSection({ webhookUrl }: { webhookUrl: string | null }) {
  const { tenantId } = useMembership()
  const [language, setLanguage] = useState<string | null>('node')
  const values = { tenantId, path: pathOf(webhookUrl) }
  return (
    <Section
      title="Sample receiver"
      description="Verifies the signature of the raw body, responds immediately and ignores duplicates."
    >
      <Tabs value={language} onChange={setLanguage}>
        <Tabs.List aria-label="Language">
          {languages.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {languages.map(({ value, label, generate, command }) => (
          <Tabs.Panel key={value} value={value} pt="sm">
            <Text size="sm" mb="xs">
              Run it with <code>{command}</code> behind a TLS-terminating proxy.
            </Text>
            <CopyBox value={generate(values)} label={`${label} receiver`} isCode />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  )
}
