import { callback } from './callback.ts'
import type { Scenario } from './scenario.ts'
import { start } from './start.ts'
import { status } from './status.ts'
import { validate } from './validate.ts'

/** The scenarios that are compared with a floor, in the order of a run. */
export const scenarios: readonly Scenario[] = [status, validate, start, callback]

/** Separate programs, run only if they are named. */
export const programs: readonly string[] = [
  'closing-claim',
  'delivery-claim',
  'delivery-fairness',
  'delivery-tenants',
  'overload',
  'soak',
  'storage-scale',
  'storage-size',
  'verification-list',
]
