import { z } from 'zod'
import { recordServiceAuditEvent } from '../audit/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { lineOfText, readParameter, wholeNumber } from '../parameters.ts'
import type { OperatorScope } from '../scope.ts'
import { defaultPlan, ensureDefaultPlan } from './ensure-default-plan.ts'
import { findPlan } from './find-plan.ts'
import { Plan } from './plan.entity.ts'

/** A quota of 0 blocks all starts. Rate limits start at 1: a rate of 0 would block too, but report the wrong reason. */
const planDefinition = z
  .object({
    name: lineOfText("The plan's name", 64),
    rateLimitPerMinute: count('The rate limit', 1),
    readRateLimitPerMinute: count('The read rate limit', 1),
    monthlyQuota: count('The monthly quota', 0),
    hardLimit: count('The hard limit', 0),
    overage: z.boolean('Overage must be true or false.').optional(),
  })
  .refine(({ monthlyQuota = 0, hardLimit = monthlyQuota }) => hardLimit >= monthlyQuota, {
    path: ['hardLimit'],
    message: 'The hard limit must not be below the monthly quota.',
  })

export type PlanDefinition = z.output<typeof planDefinition>

/**
 * Creates or changes a plan. Omitted limits keep their value; those of a new plan come from the default plan. When
 * this returns, the change is in effect for all tenants of the plan, in every process. Throws `INVALID_PARAMETERS` for a
 * hard limit below a quota that is defined with it; one below a kept quota is a lower limit for all.
 */
export async function definePlan(scope: OperatorScope, definition: PlanDefinition): Promise<Plan> {
  const { name, ...limits } = readParameter('', planDefinition, definition)
  const changes = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
  await ensureDefaultPlan(scope)
  return await transaction(scope, async em => {
    const base = await findPlan(em, defaultPlan.name)
    const { rateLimitPerMinute, readRateLimitPerMinute, monthlyQuota, hardLimit, overage } = base
    const inherited = { rateLimitPerMinute, readRateLimitPerMinute, monthlyQuota, hardLimit, overage }
    await em.upsert(Plan, { name, ...inherited }, { onConflictAction: 'ignore', onConflictFields: ['name'] })
    const found = await em.findOneOrFail(Plan, name, { refresh: true })
    recordServiceAuditEvent(scope, em, { action: 'plan.set', target: name, changes })
    return em.assign(found, changes)
  })
}

/** Up to the largest value of PostgreSQL's `int`. */
function count(label: string, min: number) {
  const max = 2_147_483_647
  return wholeNumber({ min, max }, `${label} must be a whole number from ${min} to ${max}.`).optional()
}
