import { Code, Stack, Tabs, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { CopyBox } from '../components/copy-box.tsx'
import { useConfig } from '../config.ts'
import { DocsLink } from '../session/links.tsx'

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
  const access = assign({ SERVICE_URL: baseUrl, API_KEY: apiKey ?? 'avk_…' })
  const assignments = [...access, ...assign(environment)]
  const isReady = !assignments.some(assignment => assignment.includes('…'))
  return (
    <Tabs value={languages.some(({ name }) => name === chosen) ? chosen : 'curl'} onChange={choose} keepMounted={false}>
      <Tabs.List aria-label="Language">
        {languages.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {languages.map(({ name, label, command, fileFor, isOneFile }) => {
        const file = fileFor(call)
        const code = files[`../../../docs/samples/${file}`]!
        const line = isOneFile
          ? [...access, command, file, call === 'status' ? 'wait' : call, ...Object.values(environment)]
          : [...assignments, command, file]
        return (
          <Tabs.Panel key={name} value={name} pt="sm">
            <Stack gap="xs">
              {name === 'curl' ? (
                <Text>
                  {isReady ? 'Run it in a shell.' : 'Replace … with your own values, then run it in a shell.'}
                </Text>
              ) : (
                <Text>
                  Save it as <Code>{file}</Code> and run <Code>{line.join(' ')}</Code>.
                  {isOneFile && ' It is one file for all steps, and receives webhook events too.'}
                </Text>
              )}
              {name === 'node' && (
                <Text>
                  <DocsLink to="downloads">Download its client</DocsLink> first, and install it:{' '}
                  <Code>npm install ./age-verification-client-1.0.0.tgz</Code>
                </Text>
              )}
              <CopyBox
                value={name === 'curl' ? [...assignments.map(each => `export ${each}`), code].join('\n') : code}
                label={`${label} sample`}
                isCode
              />
            </Stack>
          </Tabs.Panel>
        )
      })}
    </Tabs>
  )
}

function assign(values: Record<string, string>): string[] {
  return Object.entries(values).map(entry => entry.join('='))
}

/** The sample programs of docs/samples by their file names. They read their settings from the environment. */
const files: Record<string, string> = import.meta.glob(
  [
    '../../../docs/samples/{start,status,validate}.{sh,mjs,py}',
    '../../../docs/samples/age_verification.{go,php,rb}',
    '../../../docs/samples/AgeVerification.java',
  ],
  { query: '?raw', import: 'default', eager: true },
)

/** An endpoint of the tenant API. */
type Call = 'start' | 'status' | 'validate'

interface Language {
  name: string
  label: string
  /** What runs the file. */
  command: string
  fileFor: (call: Call) => string
  /** One file for all calls, of a language without a client. A subcommand and the values follow it. */
  isOneFile?: boolean
}

/** In the order in which they are offered. */
const languages: Language[] = [
  { name: 'curl', label: 'curl', command: 'sh', fileFor: call => `${call}.sh` },
  { name: 'node', label: 'Node', command: 'node', fileFor: call => `${call}.mjs` },
  { name: 'python', label: 'Python', command: 'python3', fileFor: call => `${call}.py` },
  { name: 'php', label: 'PHP', command: 'php', fileFor: () => 'age_verification.php', isOneFile: true },
  { name: 'go', label: 'Go', command: 'go run', fileFor: () => 'age_verification.go', isOneFile: true },
  { name: 'java', label: 'Java', command: 'java', fileFor: () => 'AgeVerification.java', isOneFile: true },
  { name: 'ruby', label: 'Ruby', command: 'ruby', fileFor: () => 'age_verification.rb', isOneFile: true },
]
