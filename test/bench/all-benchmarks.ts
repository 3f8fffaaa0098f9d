import type { Benchmark } from './benchmark.ts'
import { callback } from './benchmarks/callback.ts'
import { delivery } from './benchmarks/delivery.ts'
import { requestBenchmark } from './benchmarks/request-benchmark.ts'
import { start } from './benchmarks/start.ts'
import { status, statusAlone } from './benchmarks/status.ts'
import { strangers } from './benchmarks/strangers.ts'
import { validate } from './benchmarks/validate.ts'

/** In the order of a run. */
export const allBenchmarks: readonly Benchmark[] = [
  ...[status, statusAlone, validate, start, callback].map(requestBenchmark),
  delivery,
  strangers,
]
