import type { Benchmark } from './benchmark.ts'
import { delivery } from './delivery.ts'
import { memory } from './memory.ts'
import { rows } from './rows.ts'
import { scenarioBenchmark } from './scenario-benchmark.ts'
import { scenarios } from './scenarios.ts'
import { startup } from './startup.ts'
import { tracing } from './tracing.ts'

/** Everything that a run measures unless it names a part, in order. */
export const benchmarks: readonly Benchmark[] = [
  ...scenarios.map(scenarioBenchmark),
  delivery,
  rows,
  memory,
  startup,
]

/** Run only if they are named. */
export const furtherBenchmarks: readonly Benchmark[] = [tracing]

/** Separate programs, run only if they are named. */
export const programs: readonly string[] = [
  'closings',
  'delivery-claim',
  'delivery-fairness',
  'delivery-tenants',
  'long-poll',
  'overload',
  'soak',
  'storage-scale',
  'storage-size',
  'verification-list',
]
