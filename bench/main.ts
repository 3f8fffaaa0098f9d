/** `npm run bench`: compares the hot paths with a minimal implementation, the floor. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openFixture } from './fixture/open-fixture.ts'
import { measure } from './measure.ts'
import { type BenchOptions, readOptions, usage } from './options.ts'
import { machine } from './report/machine.ts'
import { table } from './report/table.ts'
import { programs, scenarios } from './scenarios.ts'

const options = optionsOrUsage()
await measureScenarios(options)
for (const name of programs.filter(program => options.names.includes(program))) await run(name)

function optionsOrUsage(): BenchOptions {
  try {
    const read = readOptions(process.argv.slice(2))
    if (read) return read
    console.log(usage)
    process.exit(0)
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    process.exit(2)
  }
}

async function measureScenarios(options: BenchOptions): Promise<void> {
  const selected = scenarios.filter(({ name }) => options.names.includes(name))
  if (selected.length === 0) return
  const fixture = await openFixture(options)
  try {
    const conditions = await machine(fixture, options)
    console.log(`${conditions}\n`)
    for (const scenario of selected) {
      const { name, description, floorDescription } = scenario
      const heading = `# ${name}\n\n${description}\nFloor: ${floorDescription}\n`
      console.log(heading)
      const results = table(await measure(fixture, scenario, options))
      console.log(`${results}\n`)
      if (options.save) await save(name, `${heading}\n${today()}, ${conditions}.\n\n${results}\n`)
    }
  } finally {
    await fixture.close()
  }
}

async function save(name: string, text: string): Promise<void> {
  const folder = join(import.meta.dirname, 'results')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${name}.md`), text)
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}

async function run(program: string): Promise<void> {
  const file = join(import.meta.dirname, `${program}.ts`)
  const [code] = await once(spawn(process.execPath, [file], { stdio: 'inherit' }), 'exit')
  if (code !== 0) process.exitCode = 1
}
