import { Code, Stack, Tabs, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { CopyBox } from '../components/copy-box.tsx'
import { useConfig } from '../config.ts'

interface Props {
  call: Call
  /** Undefined if it is not known any more. */
  apiKey: string | undefined
  /** What the samples read from the environment besides the service's URL and the key: a value or a placeholder by name. */
  environment?: Record<string, string>
}

/** The same call in several languages. The chosen language is remembered, and is that of all steps. */
export function SampleTabs({ call, apiKey, environment = {} }: Props) {
  const { baseUrl } = useConfig()
  const [chosen, choose] = useLocalStorage<string | null>({
    key: 'age-verification.language',
    defaultValue: 'curl',
    getInitialValueInEffect: false,
  })
  const values = { SERVICE_URL: baseUrl, API_KEY: apiKey ?? 'avk_…', ...environment }
  const assignments = Object.entries(values).map(entry => entry.join('='))
  const isReady = !assignments.some(assignment => assignment.includes('…'))
  return (
    <Tabs value={languages.some(({ name }) => name === chosen) ? chosen : 'curl'} onChange={choose}>
      <Tabs.List aria-label="Language">
        {languages.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {languages.map(({ name, label, extension, command }) => (
        <Tabs.Panel key={name} value={name} pt="sm">
          <Stack gap="xs">
            {name !== 'curl' && (
              <Text size="sm">
                Save it as <Code>{`${call}.${extension}`}</Code> and run{' '}
                <Code>{[...assignments, command, `${call}.${extension}`].join(' ')}</Code>.
              </Text>
            )}
            {name === 'curl' && (
              <Text size="sm">
                {isReady ? 'Run it in a shell.' : 'Run it in a shell, with your own values in place of …'}
              </Text>
            )}
            {name === 'node' && (
              <Text size="sm">
                Its package <Code>@age-verification/client</Code> is in the folder{' '}
                <Code>clients/typescript</Code> of the service's source.
              </Text>
            )}
            <CopyBox
              value={
                name === 'curl'
                  ? `${['export', ...assignments].join(' ')}\n${sampleCode(`${call}.${extension}`)}`
                  : sampleCode(`${call}.${extension}`)
              }
              label={`${label} sample`}
              isCode
            />
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/** The sample programs of docs/samples by their file names. They read their settings from the environment. */
const files: Record<string, string> = import.meta.glob(
  '../../../docs/samples/{start,status,validate}.{sh,mjs,py,php,go}',
  { query: '?raw', import: 'default', eager: true },
)

/** An endpoint of the tenant API. */
type Call = 'start' | 'status' | 'validate'

/** In the order in which they are offered. */
const languages = [
  { name: 'curl', label: 'curl', extension: 'sh', command: 'sh' },
  { name: 'node', label: 'Node', extension: 'mjs', command: 'node' },
  { name: 'python', label: 'Python', extension: 'py', command: 'python3' },
  { name: 'php', label: 'PHP', extension: 'php', command: 'php' },
  { name: 'go', label: 'Go', extension: 'go', command: 'go run' },
]

function sampleCode(fileName: string): string {
  return files[`../../../docs/samples/${fileName}`]!
}
