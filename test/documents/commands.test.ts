import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Command } from 'commander'
import { createProgram } from '#operator/create-program.ts'
import { codeBlocks } from './samples.ts'

const exclude = ['**/node_modules/**', 'test/bench/results/**', 'CHANGELOG.md']
const documents = globSync('**/*.md', { exclude })
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'))

/** How other commands begin that documents tell to type, and what runs them. */
const others: Record<string, string> = {
  'npm ci': 'the installation before any test',
  'npm start': 'test/faults/service/start.test.ts',
  'npm test': '.ci/run',
  'go run age_verification.go ': 'test/interop/samples/program-samples.test.ts',
  'php age_verification.php ': 'test/interop/samples/program-samples.test.ts',
  'java AgeVerification.java ': 'test/interop/samples/program-samples.test.ts',
  'ruby age_verification.rb ': 'test/interop/samples/program-samples.test.ts',
  'promtool ': 'test/interop/deploy/prometheus.test.ts',
  'cd deploy/prometheus && promtool ': 'test/interop/deploy/prometheus.test.ts',
  'amtool ': 'test/interop/deploy/pages.test.ts',
  'cp deploy/prometheus/': 'test/interop/deploy/pages.test.ts, which runs these files',
  'apt-get install ': '.ci/run, which installs these packages',
  'npm install ./age-verification-client-1.0.0.tgz': 'test/interop/clients/downloads.test.ts',
  'npx --no -- age-verification listen ': 'test/interop/commands/listen.test.ts',
  'SERVICE_URL=https://verify.example API_KEY=avk_test_… npx --no -- age-verification listen ':
    'test/clients/listen.test.ts',
  'pip install ./age_verification-1.0.0-py3-none-any.whl': 'test/interop/clients/downloads.test.ts',
  'docker build ': 'nothing: it needs a container engine',
  'docker run ': 'nothing: it needs a container engine',
  'systemctl ': 'nothing: it needs systemd as the first process; systemd-analyze verifies the units',
  'pg_restore ': "nothing: it needs PostgreSQL's programs in the version of the server",
  'curl ': 'test/faults/service/readiness.test.ts',
  'export ': 'test/interop/samples/shell-samples.test.ts sets them',
  'pg_dump ': "nothing: it needs PostgreSQL's programs in the version of the server",
  'psql ': 'test/interop/deploy/postgresql.test.ts',
  'grep ': 'the reader',
  'set -a ': 'the shell',
  'echo ': 'the shell',
  'ROLE=': 'test/faults/service/start.test.ts',
}

/** Scripts that no test and no step of CI runs. */
const notRun: Record<string, string> = {
  format: 'mends what `npm run check` finds',
  'test:watch': 'runs until it is stopped',
  postinstall: 'is run by `npm ci`',
}

/** Where commands declare their options. */
const optionFiles = {
  bench: 'test/bench/options.ts',
  chaos: 'test/chaos/options.ts',
}

describe('The commands of the documents', () => {
  it('that npm runs are scripts of package.json', () => {
    const named = documents.flatMap(document =>
      [...readFileSync(document, 'utf8').matchAll(/npm run (?:-s |--silent )?([\w:-]+)/g)].map(
        ([, name]) => `${document}: ${name}`,
      ),
    )
    expect(named.length).to.be.greaterThan(30)
    expect(named.filter(name => !scripts[name.split(': ')[1]!])).to.deep.equal([])
  })

  it('of the operator exist, with all their options', async () => {
    const program = await createProgram(performers, () => {})
    const named = documents.flatMap(document =>
      operatorCommands(readFileSync(document, 'utf8')).map(words => ({ document, words })),
    )
    expect(named.length).to.be.greaterThan(30)
    for (const { document, words } of named) {
      expect(unknownWords(program, words), `${document}: operator ${words.join(' ')}`).to.deep.equal([])
    }
  })

  it('are scripts, commands of the operator, files, or have somebody who runs them', () => {
    const known = ['npm run ', 'operator ', ...Object.keys(others)]
    for (const document of documents) {
      const blocks = codeBlocks(document).filter(({ language, name }) => language === 'sh' && name === '')
      for (const line of blocks.flatMap(({ code }) => code.trim().split('\n'))) {
        const isKnown = known.some(start => line.startsWith(start)) || existsSync(line.split(' ')[0]!)
        expect(isKnown, `${document}: ${line}`).to.equal(true)
      }
    }
    const files = Object.values(others).filter(where => /^[\w./-]+$/.test(where))
    expect(files.filter(file => !existsSync(file))).to.deep.equal([])
  })

  it('that are scripts are run by a test or by CI', () => {
    const tests = globSync('test/**/*.ts', { exclude: ['test/documents/**'] })
    const runners = [
      ...['.ci/run', ...tests].map(file => readFileSync(file, 'utf8')),
      scripts.check!.replaceAll('-s ', ''),
    ].join('\n')
    const idle = Object.entries(scripts).filter(([name, script]) => {
      const [program = script] = /\S+\.ts/.exec(script) ?? []
      const isRun = [`npm run ${name}`, `npm ${name}`, program].some(words => runners.includes(words))
      return !isRun && !notRun[name]
    })
    expect(idle.map(([name]) => name)).to.deep.equal([])
  })

  for (const [name, file] of Object.entries(optionFiles)) {
    it(`npm run ${name} are used with options that it has`, () => {
      const command = new RegExp(`npm run (?:--silent )?${name} --((?: (?!npm )[^\\s\`#]+)*)`, 'g')
      const used = documents
        .flatMap(document => [...readFileSync(document, 'utf8').matchAll(command)])
        .flatMap(([, words]) => words!.match(/--[a-z-]+/g) ?? [])
      expect(['--help', ...declaredOptions(file)]).to.include.members(used)
    })
  }

  it('of the operator have a help that describes them and each of their options', async () => {
    const { commands } = await createProgram(performers, () => {})
    const verbs = commands.flatMap(noun => (noun.commands.length > 0 ? noun.commands : [noun]))
    expect(verbs.length).to.be.greaterThan(30)
    for (const verb of verbs) {
      const described = [verb.description(), ...verb.options.map(({ description }) => description)]
      expect(
        described.every(text => text !== ''),
        verb.name(),
      ).to.equal(true)
      expect(verb.helpInformation()).to.contain(verb.description().split(' ')[0])
    }
  })
})

function declaredOptions(file: string): string[] {
  const declared = readFileSync(file, 'utf8').matchAll(/[Oo]ption\(\s*'(--[a-z-]+)/g)
  return [...declared].map(([, option]) => option!)
}

const perform = async () => {}
const performers = { perform, performOnDatabase: perform, performDiagnosis: perform }

/** The words after `operator`, in blocks of code and between backticks. */
function operatorCommands(text: string): string[][] {
  const code = [
    ...text.matchAll(/^```.*?^```$/gms),
    ...text.replace(/^```.*?^```$/gms, '').matchAll(/`[^`]+`/g),
  ]
  const lines = code.flatMap(([found]) => found.replaceAll('`', '').split('\n'))
  const commands = lines.map(
    line => /(?:^|\s)operator (?:-- )?([a-z].*)/.exec(line.replace(/ +#.*/, ''))?.[1],
  )
  return commands.filter(command => command !== undefined).map(command => command.split(/\s+/))
}

/** The noun, verb and options that the program doesn't have. */
function unknownWords(program: Command, [noun, ...words]: string[]): (string | undefined)[] {
  const found = program.commands.find(command => command.name() === noun)
  if (!found) return [noun]
  const verb = found.commands.length > 0 ? found.commands.find(command => command.name() === words[0]) : found
  if (!verb) return [words[0]]
  const known = [...verb.options, ...program.options].map(({ long }) => long)
  return words.filter(word => word.startsWith('--') && !['--help', ...known].includes(word))
}
