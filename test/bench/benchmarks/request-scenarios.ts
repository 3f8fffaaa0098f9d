import { callback } from './callback.ts'
import { list } from './list.ts'
import type { RequestScenario } from './request-scenario.ts'
import { start, startHot } from './start.ts'
import { status, statusAlone, statusCrowded } from './status.ts'
import { validate } from './validate.ts'
import { validateNew } from './validate-new.ts'

/** The hot paths that are compared with a floor, in the order of a run. */
export const requestScenarios: readonly RequestScenario[] = [
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
