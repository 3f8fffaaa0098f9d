import { request } from 'undici'
import type { BenchContext, Benchmark } from './benchmark.ts'
import { markdown } from './report/markdown.ts'
import { quantile } from './report/quantile.ts'
import { short } from './report/statistics.ts'
import { status } from './status.ts'
import { startService } from './targets.ts'

const secondsPerStart = 2

export const startup: Benchmark = {
  name: 'startup',
  description:
    'From the start of a process to its first response, of the scenario status: median, with minimum and maximum in\n' +
    'parentheses, and the CPU time until then.',
  durationSeconds: ({ rounds }) => rounds * secondsPerStart,
  run: measureStartup,
}

async function measureStartup({ fixture, options, onRound }: BenchContext) {
  const starts = {
    service: () => startService(fixture),
  }
  const targets = Object.entries(starts).map(([name, start]) => ({
    name,
    start,
    ms: [] as number[],
    cpuMs: [] as number[],
  }))
  const [first] = await status.requests(fixture, 0)
  for (let number = 1; number <= options.rounds; number++) {
    onRound(number)
    for (const { start, ms, cpuMs } of targets) {
      const startedAt = performance.now()
      const server = await start()
      const { method, path, headers } = first!
      const { statusCode, body } = await request(server.origin + path, { method, headers })
      await body.dump()
      ms.push(performance.now() - startedAt)
      cpuMs.push((await server.cpuUs()) / 1000)
      await server.close()
      if (statusCode !== status.status) throw new Error(`startup: ${server.origin} responded ${statusCode}`)
    }
  }
  const lines = targets.map(({ name, ms, cpuMs }) => [name, spread(ms), spread(cpuMs)])
  return { table: markdown([['target', 'first response after, ms', 'its own CPU, ms'], ...lines]) }
}

function spread(values: number[]): string {
  const [min, middle, max] = [0, 0.5, 1].map(share => short(quantile(values, share)))
  return `${middle} (${min}–${max})`
}
