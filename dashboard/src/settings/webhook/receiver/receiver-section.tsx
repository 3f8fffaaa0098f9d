import { Tabs, Text } from '@mantine/core'
import { useState } from 'react'
import { CopyBox } from '../../../copy/copy-box.tsx'
import { Section } from '../../../page/section.tsx'
import { useMembership } from '../../../session/session-context.ts'
import { nodeReceiver } from './node-receiver.ts'
import { pythonReceiver } from './python-receiver.ts'

const languages = [
  { value: 'node', label: 'Node', write: nodeReceiver, run: 'WEBHOOK_SECRETS=whsec_… node receiver.mjs' },
  {
    value: 'python',
    label: 'Python',
    write: pythonReceiver,
    run: 'WEBHOOK_SECRETS=whsec_… python3 receiver.py',
  },
]

/** A receiver to start from, with this tenant's id and path in it. The secret stays out of code. */
export function ReceiverSection({ webhookUrl }: { webhookUrl: string | null }) {
  const { tenantId } = useMembership()
  const [language, setLanguage] = useState<string | null>('node')
  const values = { tenantId, path: pathOf(webhookUrl) }
  return (
    <Section
      title="Receive events"
      description="A receiver that checks the signature over the raw bytes, answers at once and ignores duplicates."
    >
      <Tabs value={language} onChange={setLanguage}>
        <Tabs.List aria-label="Language of the example">
          {languages.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {languages.map(({ value, label, write, run }) => (
          <Tabs.Panel key={value} value={value} pt="sm">
            <Text size="sm" mb="xs">
              Run it with <code>{run}</code> behind a server that ends HTTPS for you.
            </Text>
            <CopyBox value={write(values)} label={`${label} receiver`} isCode />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  )
}

function pathOf(webhookUrl: string | null): string {
  return webhookUrl && URL.canParse(webhookUrl) ? new URL(webhookUrl).pathname : '/age-events'
}
