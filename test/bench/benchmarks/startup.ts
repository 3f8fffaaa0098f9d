import type { Benchmark } from '../benchmark.ts'
import { startServer } from '../children/start-server.ts'
import { baselineProcess, serviceProcess } from '../fixture/service-process.ts'
import type { Round } from '../report/table.ts'
import { status } from './status.ts'

export const startup: Benchmark = {
  name: 'startup',
  description:
    'From the start of a process to its first response, of the scenario status, and the CPU time until then.',
  isUsual: true,
  async prepare(context) {
    const { method, path, headers } = (await status.requests(context.fixture, 0))[0]!
    return async () => {
      const round: Round = {}
      const targets = { service: serviceProcess(context), ...baselineProcess(context) }
      for (const [target, server] of Object.entries(targets)) {
        const startedAt = performance.now()
        const child = await startServer(server)
        const response = await fetch(child.origin + path, { method, headers })
        await response.text()
        const ms = performance.now() - startedAt
        round[target] = { 'first response after, ms': ms, 'own CPU, ms': (await child.cpuUs()) / 1000 }
        await child.close()
        if (response.status !== status.status) throw new Error(`startup: the response had ${response.status}`)
      }
      return round
    }
  },
}
