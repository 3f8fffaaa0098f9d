import { z } from 'zod'
import { monthlyEvidence } from '#domain/evidence/monthly-evidence.ts'
import { currentUsage } from '#domain/usage/current-usage.ts'
import { dailyUsage } from '#domain/usage/daily-usage.ts'
import { findUnusual } from '#domain/usage/find-unusual.ts'
import { summarizeUsage } from '#domain/usage/summarize-usage.ts'
import { countDenials } from '#domain/verification/count-denials.ts'
import { boundedText, day, pageSchema, timestamp } from './fields.ts'
import { memberProcedure, readProcedure, router } from './trpc.ts'

/** The current UTC month. */
export const monthUsage = z.object({
  used: z.int(),
  monthlyQuota: z.int(),
  hardLimit: z.int(),
  overage: z.boolean(),
  resetsAt: timestamp,
  /** Of the last 7 days. */
  startsPerDay: z.number(),
  /** When starts will be rejected at the pace of the last 7 days, if that is before `resetsAt`. */
  projectedEndAt: timestamp.nullable(),
})

/** The approved verifications by age. */
const ageCounts = {
  over18: z.int(),
  under18: z.int(),
  ageUnknown: z.int(),
}

/** Verifications started on a UTC day, and those completed on it, by final status. A response has up to 366 of them, so they are small. */
const dayUsage = z.object({
  day: z.string(),
  started: z.int(),
  approved: z.int(),
  denied: z.int(),
  rejected: z.int(),
  submitted: z.int(),
  resubmission: z.int(),
  ...ageCounts,
})

/** Verifications started in a period, and those that ended in it; all further counts are of these. */
const periodUsage = z.object({
  from: z.string(),
  to: z.string(),
  started: z.int(),
  ended: z.int(),
  opened: z.int(),
  submitted: z.int(),
  /** Approved or denied. */
  decided: z.int(),
  approved: z.int(),
  denied: z.int(),
  rejected: z.int(),
  ...ageCounts,
})

/** Today beside the same weekday of the four weeks before; yesterday if today has too few results. */
const unusualUsage = z.object({
  day: z.string(),
  isOver: z.boolean(),
  /** Whether there were enough results to compare. */
  isKnown: z.boolean(),
  earlier: z.object({ days: z.int(), ended: z.int() }),
  /** The most important first: a rate that is lower than normal, or starts. */
  findings: z.array(
    z.object({
      /**
       * Approved of the decided ones, opened of the ended ones, submitted of these, decided of these, 18 or over of the
       * approved ones; or the number of starts.
       */
      of: z.enum(['approval', 'opening', 'submission', 'decision', 'adult', 'starts']),
      value: z.number(),
      /** The lowest and the highest normal value. */
      low: z.number(),
      high: z.number(),
    }),
  ),
})

/** Why users were denied, by the UTC day of the decision. */
const denials = z.object({
  /** The most frequent first, and the denials without a reason last. */
  reasons: z.array(z.object({ reasonCode: z.string().nullable(), reason: z.string(), count: z.int() })),
  /** How many have each of the first five reasons, and how many all others. */
  days: z.array(z.object({ day: z.string(), counts: z.array(z.int()) })),
  /** All of these days, also those whose verifications are deleted, and their reasons with them. */
  denied: z.int(),
  /** One in how many denials was looked at, which counts for as many. */
  sampledOneIn: z.int(),
})

/** Both days are inclusive; the current month by default. */
export const dayFilter = { from: day.optional(), to: day.optional() }

const days = z.strictObject(dayFilter).prefault({})

export const usageRouter = router({
  current: readProcedure.output(monthUsage).query(({ ctx: { scope } }) => currentUsage(scope)),

  daily: memberProcedure('read')
    .input(days)
    .output(pageSchema(dayUsage))
    .query(async ({ ctx: { scope }, input }) => ({
      items: await dailyUsage(scope, input),
      nextCursor: null,
    })),

  summary: memberProcedure('read')
    .input(days)
    .output(
      z.object({
        current: periodUsage,
        /** Its days that are over, and as many before; null if there is nothing to compare. */
        change: z.object({ current: periodUsage, previous: periodUsage }).nullable(),
      }),
    )
    .query(({ ctx: { scope }, input }) => summarizeUsage(scope, input)),

  denials: memberProcedure('read')
    .input(days)
    .output(denials)
    .query(({ ctx: { scope }, input }) => countDenials(scope, input)),

  evidence: memberProcedure('read')
    .input(z.strictObject({ month: boundedText }))
    // What was done in the month, without persons: a JWS, so that nothing stands beside what is signed.
    .output(z.object({ jws: z.string() }))
    .query(async ({ ctx: { scope }, input }) => ({ jws: await monthlyEvidence(scope, input) })),

  unusual: readProcedure.output(unusualUsage).query(({ ctx: { scope } }) => findUnusual(scope)),
})
