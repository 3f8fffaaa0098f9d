import type { Benchmark } from './benchmark.ts'
import { callback } from './benchmarks/callback.ts'
import { delivery } from './benchmarks/delivery.ts'
import { deliveryFairness } from './benchmarks/delivery-fairness.ts'
import { list } from './benchmarks/list.ts'
import { longPoll } from './benchmarks/long-poll.ts'
import { overload } from './benchmarks/overload.ts'
import { requestBenchmark } from './benchmarks/request-benchmark.ts'
import { soak } from './benchmarks/soak.ts'
import { start, startHot } from './benchmarks/start.ts'
import { startup } from './benchmarks/startup.ts'
import { status, statusAlone, statusCrowded } from './benchmarks/status.ts'
import { strangers } from './benchmarks/strangers.ts'
import { unknownKey } from './benchmarks/unknown-key.ts'
import { validate, validateNew } from './benchmarks/validate.ts'

/** The hot paths that are compared with a floor. */
export const requestScenarios = [
  status,
  statusAlone,
  statusCrowded,
  validate,
  validateNew,
  start,
  startHot,
  callback,
  list,
]

/** In the order of a run. */
export const allBenchmarks: readonly Benchmark[] = [
  ...requestScenarios.map(requestBenchmark),
  delivery,
  startup,
  longPoll,
  overload,
  strangers,
  deliveryFairness,
  unknownKey,
  soak,
]
