import type { Scope } from '../scope.ts'
import { Plan } from './plan.entity.ts'

/** All plans, by name. */
export async function listPlans(scope: Scope): Promise<Plan[]> {
  return await scope.em.fork().find(Plan, {}, { orderBy: { name: 'asc' } })
}
