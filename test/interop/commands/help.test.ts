import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect } from 'chai'

const run = promisify(execFile)
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'))
const exclude = ['**/node_modules/**', 'test/bench/results/**']
const documents = globSync('**/*.md', { exclude }).map(file => readFileSync(file, 'utf8'))

describe('The help of', function () {
  this.timeout(60_000)

  for (const name of ['receive', 'sandbox', 'bench', 'chaos']) {
    it(`npm run ${name} has the options that the documents use`, async () => {
      const command = new RegExp(`npm run (?:--silent )?${name} --((?: (?!npm )[^\\s\`#]+)*)`, 'g')
      const commands = documents.flatMap(text => [...text.matchAll(command)].map(([, words]) => words!))
      expect(commands).not.to.be.empty
      const used = commands.flatMap(words => words.match(/--[a-z-]+/g) ?? [])
      expect(await helpOptions(name)).to.include.members(used)
    })
  }

  it('npm run receive has the options of the table in docs/testing.md', async () => {
    const rows = readFileSync('docs/testing.md', 'utf8').matchAll(/^\| `(--[a-z-]+)/gm)
    const described = [...rows].map(([, option]) => option!)
    expect([...described, '--help']).to.have.members(await helpOptions('receive'))
  })
})

const outputs: Record<string, Promise<string[]>> = {}

function helpOptions(name: string): Promise<string[]> {
  const program = scripts[name]!.replace('exec node ', '')
  outputs[name] ??= run(process.execPath, [program, '--help']).then(({ stdout }) =>
    [...stdout.matchAll(/^ {2}(?:-h, )?(--[a-z-]+)/gm)].map(([, option]) => option!),
  )
  return outputs[name]
}
