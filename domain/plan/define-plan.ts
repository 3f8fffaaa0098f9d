import { transaction } from '../database/transaction.ts'
import { readParameter } from '../parameters.ts'
import type { Scope } from '../scope.ts'
import { ensureDefaultPlan } from './ensure-default-plan.ts'
import { findPlan } from './find-plan.ts'
import { Plan } from './plan.entity.ts'
import { defaultPlanName, planName, planValues } from './plan.policy.ts'

export interface PlanDefinition {
  name: string
  rateLimitPerMinute?: number | undefined
  readRateLimitPerMinute?: number | undefined
  monthlyQuota?: number | undefined
  hardLimit?: number | undefined
  overage?: boolean | undefined
}

/**
 * Makes or changes a plan. What is not named keeps its value; for a new plan it is the default plan's. Holds for
 * all of its tenants, in every process, from the moment that this has answered.
 */
export async function definePlan(scope: Scope, definition: PlanDefinition): Promise<Plan> {
  const name = readParameter('name', planName, definition.name)
  const values = namedValues(definition)
  await ensureDefaultPlan(scope)
  const plan = await transaction(scope, async em => {
    const base = await findPlan(em, defaultPlanName)
    const { rateLimitPerMinute, readRateLimitPerMinute, monthlyQuota, hardLimit, overage } = base
    const inherited = { rateLimitPerMinute, readRateLimitPerMinute, monthlyQuota, hardLimit, overage }
    await em.upsert(Plan, { name, ...inherited }, { onConflictAction: 'ignore', onConflictFields: ['name'] })
    const found = await em.findOneOrFail(Plan, name, { refresh: true })
    return em.assign(found, values)
  })
  await scope.keyAdmission.invalidateAll()
  return plan
}

type PlanValues = Partial<Pick<Plan, keyof typeof planValues>>

function namedValues(definition: PlanDefinition): PlanValues {
  const named = Object.entries(planValues)
    .map(([path, schema]) => [path, schema, definition[path as keyof PlanDefinition]] as const)
    .filter(([, , value]) => value !== undefined)
    .map(([path, schema, value]) => [path, readParameter(path, schema, value)] as const)
  return Object.fromEntries(named)
}
