import { Code, Stack, Tabs, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { CopyBox } from '../components/copy-box.tsx'
import { useConfig } from '../config.ts'
import { type Call, type LanguageName, languages } from './samples/languages.ts'
import { clientPackage } from './samples/node.ts'

const names = Object.keys(languages) as LanguageName[]

interface Props {
  call: Call
  /** What the samples read from the environment: a value or a placeholder by name. */
  environment: Record<string, string>
}

/** The same call in several languages. The chosen language is remembered, and is that of all steps. */
export function SampleTabs({ call, environment }: Props) {
  const { baseUrl } = useConfig()
  const [chosen, choose] = useLocalStorage<LanguageName>({
    key: 'age-verification.language',
    defaultValue: 'curl',
    getInitialValueInEffect: false,
  })
  return (
    <Tabs value={chosen in languages ? chosen : 'curl'} onChange={name => choose(name as LanguageName)}>
      <Tabs.List aria-label="Language">
        {names.map(name => (
          <Tabs.Tab key={name} value={name} px="xs">
            {languages[name].label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {names.map(name => (
        <Tabs.Panel key={name} value={name} pt="sm">
          <Sample
            name={name}
            call={call}
            code={languages[name].samples(baseUrl)[call]}
            environment={environment}
          />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function Sample({ name, call, code, environment }: Props & { name: LanguageName; code: string }) {
  const { label, program } = languages[name]
  const assignments = Object.entries(environment).map(([variable, value]) => `${variable}=${value}`)
  const file = `${call}.${program?.extension}`
  return (
    <Stack gap="xs">
      {program ? (
        <Text size="sm">
          Save it as <Code>{file}</Code> and run{' '}
          <Code>{[...assignments, program.command, file].join(' ')}</Code>.
        </Text>
      ) : (
        <Text size="sm">
          Run it in a shell, after <Code>{['export', ...assignments].join(' ')}</Code>.
        </Text>
      )}
      {name === 'node' && (
        <Text size="sm">
          Its package <Code>{clientPackage}</Code> is in the folder <Code>sdk</Code> of the service's source.
        </Text>
      )}
      <CopyBox value={code} label={`${label} sample`} isCode />
    </Stack>
  )
}
