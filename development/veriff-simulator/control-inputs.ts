import { z } from 'zod'
import { outcomes } from '#server/providers/test-provider/session.ts'
import { deliveryModes } from './delivery.ts'
import { type Mode, modePattern } from './inject-failure.ts'

export const planInput = z
  .strictObject({
    delivery: z.enum(deliveryModes).optional(),
    /** For `late`: milliseconds; without it the webhook is held until it is released. */
    delayMs: z.coerce
      .number()
      .int()
      .min(0)
      .max(7 * 86_400_000)
      .optional(),
  })
  .refine(({ delivery, delayMs }) => delayMs === undefined || delivery === 'late', {
    error: 'is allowed only with delivery "late"',
    path: ['delayMs'],
  })

export const decideInput = planInput
  .safeExtend({
    outcome: z.enum(outcomes),
    /** 'YYYY-MM-DD', or any text that a script wants to be sent; null sends none. Derived from the outcome by default. */
    dateOfBirth: z.string().nullable().exactOptional(),
    estimatedAge: z.number().exactOptional(),
    /** Implies the shape `full-auto`. */
    decisionScore: z.number().min(0).max(1).exactOptional(),
    reasonCode: z.union([z.number(), z.string()]).nullable().exactOptional(),
    /** Now by default. */
    decisionTime: z.iso.datetime().exactOptional(),
    attemptId: z.string().exactOptional(),
    shape: z.enum(['decision', 'full-auto']).exactOptional(),
  })
  .refine(({ shape, decisionScore }) => shape !== 'decision' || decisionScore === undefined, {
    error: 'is allowed only in the shape "full-auto"',
    path: ['decisionScore'],
  })

const mode = z.custom<Mode>(value => typeof value === 'string' && modePattern.test(value), {
  error: `must match ${modePattern.source}`,
})

/** What is not named works. */
export const modesInput = z.strictObject({
  createSession: mode.default('ok'),
  decision: mode.default('ok'),
  deleteSession: z.union([mode, z.literal('disabled')]).default('ok'),
})
