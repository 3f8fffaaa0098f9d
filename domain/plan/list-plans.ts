import type { OperatorScope } from '../scope.ts'
import { Plan } from './plan.entity.ts'

/** All plans, ordered by name. */
export async function listPlans(scope: OperatorScope): Promise<Plan[]> {
  return await scope.em.find(Plan, {}, { orderBy: { name: 'asc' } })
}
