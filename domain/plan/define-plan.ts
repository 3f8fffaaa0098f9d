import { z } from 'zod'
import { recordServiceAuditEvent } from '../audit-event/record-audit-event.ts'
import { changeKeyAccess } from '../change-key-access.ts'
import { invalidParameter, lineOfText, readParameter } from '../parameters.ts'
import type { OperatorScope } from '../scope.ts'
import { defaultPlan, ensureDefaultPlan } from './ensure-default-plan.ts'
import { findPlan } from './find-plan.ts'
import { Plan } from './plan.entity.ts'

export interface PlanDefinition {
  name: string
  rateLimitPerMinute?: number | undefined
  readRateLimitPerMinute?: number | undefined
  monthlyQuota?: number | undefined
  hardLimit?: number | undefined
  overage?: boolean | undefined
}

/**
 * Creates or changes a plan. Omitted limits keep their value; those of a new plan come from the default plan. When
 * this returns, the change is in effect for all tenants of the plan, in every process. Throws `INVALID_PARAMETERS` for a
 * hard limit below a quota that is defined with it; one below a kept quota is a lower limit for all.
 */
export async function definePlan(scope: OperatorScope, definition: PlanDefinition): Promise<Plan> {
  const name = readParameter('name', planName, definition.name)
  const limits = readLimits(definition)
  await ensureDefaultPlan(scope)
  return await changeKeyAccess(scope, { planName: name, done: 'The plan is set' }, async em => {
    const base = await findPlan(em, defaultPlan.name)
    const { rateLimitPerMinute, readRateLimitPerMinute, monthlyQuota, hardLimit, overage } = base
    const inherited = { rateLimitPerMinute, readRateLimitPerMinute, monthlyQuota, hardLimit, overage }
    await em.upsert(Plan, { name, ...inherited }, { onConflictAction: 'ignore', onConflictFields: ['name'] })
    const found = await em.findOneOrFail(Plan, name, { refresh: true })
    const changes = { ...limits }
    recordServiceAuditEvent(scope, em, { action: 'plan.set', target: name, changes })
    return em.assign(found, limits)
  })
}

type PlanLimits = Partial<Pick<Plan, keyof typeof planLimits>>

/** The limits that the definition names. */
function readLimits(definition: PlanDefinition): PlanLimits {
  const named = Object.entries(planLimits)
    .map(([path, schema]) => [path, schema, definition[path as keyof PlanDefinition]] as const)
    .filter(([, , value]) => value !== undefined)
    .map(([path, schema, value]) => [path, readParameter(path, schema, value)] as const)
  const limits: PlanLimits = Object.fromEntries(named)
  const { monthlyQuota, hardLimit } = limits
  if (monthlyQuota !== undefined && hardLimit !== undefined && hardLimit < monthlyQuota) {
    throw invalidParameter('hardLimit', 'The hard limit must not be below the monthly quota.')
  }
  return limits
}

/** The largest value of PostgreSQL's `int`. */
const postgresIntMax = 2_147_483_647

export const planName = lineOfText("The plan's name", 64)

/** A quota of 0 blocks all starts. Rate limits start at 1: a rate of 0 would block too, but report the wrong reason. */
export const planLimits = {
  rateLimitPerMinute: count('The rate limit', 1),
  readRateLimitPerMinute: count('The read rate limit', 1),
  monthlyQuota: count('The monthly quota', 0),
  hardLimit: count('The hard limit', 0),
  overage: z.boolean('Overage must be true or false.'),
}

function count(label: string, min: number) {
  const message = `${label} must be a whole number from ${min} to ${postgresIntMax}.`
  return z.int(message).min(min, message).max(postgresIntMax, message)
}
