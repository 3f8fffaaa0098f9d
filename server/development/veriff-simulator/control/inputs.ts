import { z } from 'zod'
import type { Mode } from '../api/modes.ts'
import { modePattern } from '../api/modes.ts'
import { outcomes } from '../session/outcome.ts'
import { deliveryModes } from '../webhook/delivery-plan.ts'

const delivery = {
  delivery: z.enum(deliveryModes).optional(),
  /** For `late`; without it the webhook is held until it is released. */
  delayMs: z.coerce.number().int().min(0).optional(),
}

const lateNeedsDelay = {
  check: (input: { delivery?: string | undefined; delayMs?: number | undefined }) =>
    input.delayMs === undefined || input.delivery === 'late',
  message: { error: 'delayMs goes with delivery "late" only', path: ['delayMs'] },
}

export const stepInput = z.strictObject(delivery).refine(lateNeedsDelay.check, lateNeedsDelay.message)

export const decideInput = z
  .strictObject({
    outcome: z.enum(outcomes),
    dateOfBirth: z.string().nullable().optional(),
    estimatedAge: z.number().optional(),
    decisionScore: z.number().min(0).max(1).optional(),
    reasonCode: z.union([z.number(), z.string()]).nullable().optional(),
    decisionTime: z.iso.datetime().optional(),
    attemptId: z.string().optional(),
    shape: z.enum(['decision', 'full-auto']).optional(),
    ...delivery,
  })
  .refine(lateNeedsDelay.check, lateNeedsDelay.message)
  .refine(input => input.shape !== 'decision' || input.decisionScore === undefined, {
    error: 'only the shape "full-auto" carries a score',
    path: ['decisionScore'],
  })

const mode = z.custom<Mode>(value => typeof value === 'string' && modePattern.test(value), {
  error: `must match ${modePattern.source}`,
})

export const modesInput = z.strictObject({
  createSession: mode.default('ok'),
  decision: mode.default('ok'),
})
