import type { Benchmark } from './benchmark.ts'
import { delivery } from './benchmarks/delivery.ts'
import { longPoll } from './benchmarks/long-poll.ts'
import { overload } from './benchmarks/overload.ts'
import { requestBenchmark } from './benchmarks/request-benchmark.ts'
import { requestScenarios } from './benchmarks/request-scenarios.ts'
import { soak } from './benchmarks/soak.ts'
import { startup } from './benchmarks/startup.ts'

/** In the order of a run. */
export const allBenchmarks: readonly Benchmark[] = [
  ...requestScenarios.map(requestBenchmark),
  delivery,
  startup,
  longPoll,
  overload,
  soak,
]
