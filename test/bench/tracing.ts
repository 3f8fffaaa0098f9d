import { join } from 'node:path'
import type { BenchContext, Benchmark } from './benchmark.ts'
import { callback } from './callback.ts'
import { startServer } from './children/start-server.ts'
import { type Measurement, measure } from './measure.ts'
import { markdown } from './report/markdown.ts'
import { allCpuUs, median, ratio, spread } from './report/statistics.ts'
import { start } from './start.ts'
import { status } from './status.ts'
import { startService, type Target } from './targets.ts'

const measured = [status, start, callback]
const ratios = [0, 0.01, 1]
const preparationSeconds = 6

export const tracing: Benchmark = {
  name: 'tracing',
  description:
    'status, start and callback without tracing, and with OTEL_TRACES_SAMPLER=traceidratio at 0, 1 and 100 % of the requests;\n' +
    "the collector's own time is not counted. With --compare, another checkout without tracing, too.",
  durationSeconds: ({ rounds, seconds, compare }) =>
    measured.length *
    (1 + ratios.length + (compare ? 1 : 0)) *
    (preparationSeconds + rounds * (seconds + 0.3)),
  run: measureTracing,
}

async function measureTracing({ fixture, options, onRound }: BenchContext) {
  const program = join(import.meta.dirname, 'children/collector.ts')
  const collector = await startServer({ program, folder: fixture.folder })
  const { compare } = options
  const targetOf = (name: string, start: Target['start']): Target => ({ name, fixture, start })
  const targets = [
    targetOf('off', () => startService(fixture)),
    ...(compare ? [targetOf('baseline', () => startService(fixture, { checkout: compare }))] : []),
    ...ratios.map(share =>
      targetOf(`${share * 100} %`, () =>
        startService(fixture, { env: variablesOf(collector.origin, share) }),
      ),
    ),
  ]
  const lines: string[][] = []
  try {
    for (const [index, scenario] of measured.entries()) {
      const measurements = await measure(targets, scenario, options, round =>
        onRound(Math.ceil((index * options.rounds + round) / measured.length)),
      )
      lines.push(...linesOf(scenario.name, measurements))
    }
  } finally {
    await collector.close()
  }
  return { table: markdown([headings, ...lines]) }
}

function variablesOf(collector: string, share: number): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: String(share),
  }
}

const headings = [
  'request',
  'sampled',
  'all CPU µs/request',
  '× off',
  'its own CPU µs/request',
  'requests/s',
  '× off',
]

function linesOf(request: string, measurements: readonly Measurement[]): string[][] {
  const [off] = measurements
  return measurements.map(({ target, rounds }) => [
    request,
    target,
    spread(rounds, allCpuUs),
    ratio(rounds, off!.rounds, allCpuUs),
    median(rounds, ({ cpuUs }) => cpuUs),
    spread(rounds, ({ requestsPerSecond }) => requestsPerSecond),
    ratio(rounds, off!.rounds, ({ requestsPerSecond }) => requestsPerSecond),
  ])
}
