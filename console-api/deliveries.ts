import { z } from 'zod'
import { timestamp } from './fields.ts'

/** Why an event was not accepted, for who runs the receiver. */
export const deliveryFailure = z.object({
  /** A clause, such as "no connection to the receiver". */
  description: z.string(),
  /** What to do about it, in sentences. */
  remedy: z.string(),
})

/** The latest attempt that failed. */
export const failedAttempt = deliveryFailure.extend({ at: timestamp })

/** All attempts since an event was accepted have failed, and they are three or more. */
export const failingDeliveries = failedAttempt.extend({
  events: z.int(),
  since: timestamp,
  firstDescription: z.string(),
})
