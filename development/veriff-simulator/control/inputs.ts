import { z } from 'zod'
import { outcomes } from '../session.ts'
import { type Mode, modePattern } from '../simulator.ts'
import { deliveryModes } from '../webhook/delivery.ts'

const plan = {
  delivery: z.enum(deliveryModes).optional(),
  /** For `late`: milliseconds; without it the webhook is held until it is released. */
  delayMs: z.coerce.number().int().min(0).optional(),
}

const delayOnlyIfLate = {
  check: (input: { delivery?: string | undefined; delayMs?: number | undefined }) =>
    input.delayMs === undefined || input.delivery === 'late',
  message: { error: 'is allowed only with delivery "late"', path: ['delayMs'] },
}

export const planInput = z.strictObject(plan).refine(delayOnlyIfLate.check, delayOnlyIfLate.message)

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
    ...plan,
  })
  .refine(delayOnlyIfLate.check, delayOnlyIfLate.message)
  .refine(input => input.shape !== 'decision' || input.decisionScore === undefined, {
    error: 'is allowed only in the shape "full-auto"',
    path: ['decisionScore'],
  })

const mode = z.custom<Mode>(value => typeof value === 'string' && modePattern.test(value), {
  error: `must match ${modePattern.source}`,
})

export const modesInput = z.strictObject({
  createSession: mode.default('ok'),
  decision: mode.default('ok'),
  deleteSession: z.union([mode, z.literal('disabled')]).default('ok'),
})
