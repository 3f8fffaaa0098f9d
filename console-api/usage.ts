import { z } from 'zod'
import { currentUsage } from '#domain/usage/current-usage.ts'
import { dailyUsage } from '#domain/usage/daily-usage.ts'
import { day, noInput, pageOf, timestamp } from './fields.ts'
import { router, standbyProcedure } from './trpc.ts'

/** The current UTC month. */
const monthUsage = z.object({
  used: z.int(),
  monthlyQuota: z.int(),
  hardLimit: z.int(),
  overage: z.boolean(),
  resetsAt: timestamp,
})

/** Verifications started on a UTC day, and those completed on it, by final status. */
const dayUsage = z.object({
  day: z.string(),
  started: z.int(),
  approved: z.int(),
  denied: z.int(),
  rejected: z.int(),
  submitted: z.int(),
  resubmission: z.int(),
})

export const usageRouter = router({
  current: standbyProcedure('read')
    .input(noInput)
    .output(monthUsage)
    .query(({ ctx: { scope } }) => currentUsage(scope)),

  /** Both days are inclusive; the current month by default. */
  daily: standbyProcedure('read')
    .input(z.strictObject({ from: day.optional(), to: day.optional() }).prefault({}))
    .output(pageOf(dayUsage))
    .query(async ({ ctx: { scope }, input }) => ({
      items: await dailyUsage(scope, input),
      nextCursor: null,
    })),
})
