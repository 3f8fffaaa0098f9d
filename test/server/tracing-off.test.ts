import { join } from 'node:path'
import { expect } from 'chai'
import { createTestDatabase } from '../harness/database.ts'
import { runProgram } from '../harness/system-program.ts'
import { useOpened } from '../harness/use-opened.ts'

const program = join(import.meta.dirname, 'loaded-modules.ts')
const unreachable = 'http://127.0.0.1:9'

describe('OpenTelemetry', () => {
  const database = useOpened(createTestDatabase)

  /** The specifiers that a process resolves, with the files that import them. */
  async function loadedWith(...args: string[]): Promise<string[]> {
    const { stdout } = await runProgram(process.execPath, [program, database.url, unreachable, ...args])
    return JSON.parse(stdout) as string[]
  }

  it('is loaded where OTEL_EXPORTER_OTLP_ENDPOINT is set, and otherwise nothing of it but what prom-client imports', async () => {
    const [without, withEndpoint] = await Promise.all([loadedWith(), loadedWith(unreachable)])
    const ours = without.filter(line => !/^@opentelemetry\/api by .*\/prom-client\//.test(line))
    expect(ours).to.deep.equal([])
    expect(withEndpoint.filter(line => line.includes('/server/telemetry/tracing/'))).to.have.length.above(3)
  })
})
