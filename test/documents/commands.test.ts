import { globSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Command } from 'commander'
import { createProgram } from '#operator/create-program.ts'

const exclude = ['**/node_modules/**', 'CHANGELOG.md']
const documents = globSync('**/*.md', { exclude })
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'))

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
})

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
