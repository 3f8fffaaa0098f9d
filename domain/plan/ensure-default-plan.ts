import type { Scope } from '../scope.ts'
import { Plan } from './plan.entity.ts'
import { defaultPlan } from './plan.policy.ts'

/** Makes the default plan where there is none; one that an operator has changed is left as it is. */
export async function ensureDefaultPlan(scope: Scope): Promise<void> {
  await scope.em.fork().upsert(Plan, defaultPlan, { onConflictAction: 'ignore', onConflictFields: ['name'] })
}
