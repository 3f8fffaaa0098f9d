import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { createProgram } from '#operator/create-program.ts'

const perform = async () => {}
const performers = { perform, performOnDatabase: perform, performDiagnosis: perform }

describe('the table of operator commands in docs/operator.md', () => {
  it('lists every command of the program, in the same order', async () => {
    const program = await createProgram(performers, () => {})
    const expected = program.commands.map(noun =>
      row(
        noun.name(),
        noun.commands.map(verb => verb.name()),
      ),
    )
    const actual = documentedRows()
    const message = `docs/operator.md: the table must contain\n${expected.join('\n')}\n`
    expect(actual, message).to.deep.equal(expected)
  })
})

/** The rows of the table, without the explanations that may follow a colon. */
function documentedRows(): string[] {
  const [commands = ''] = readFileSync('docs/operator.md', 'utf8').split('\n## What the doctor checks')
  const rows = [...commands.matchAll(/^\| `([\w-]+)` \| ([^:|]*).*\|$/gm)]
  return rows.map(([, noun, verbs]) =>
    row(
      noun!,
      [...verbs!.matchAll(/`([\w-]+)`/g)].map(([, verb]) => verb!),
    ),
  )
}

function row(noun: string, verbs: readonly string[]): string {
  return `| \`${noun}\` | ${verbs.map(verb => `\`${verb}\``).join(' ')} |`
}
