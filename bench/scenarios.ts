import { callback } from './callback.ts'
import type { Scenario } from './scenario.ts'
import { start } from './start.ts'
import { status } from './status.ts'
import { validate } from './validate.ts'

/** What is measured beside a floor, in the order of a run. */
export const scenarios: readonly Scenario[] = [status, validate, start, callback]

/** Programs of their own, run when they are named. */
export const programs: readonly string[] = ['delivery-claim', 'delivery-fairness', 'verification-list']
