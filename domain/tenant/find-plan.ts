import type { EntityManager } from '@mikro-orm/postgresql'
import { invalidParameter } from '../parameters.ts'
import type { OperatorScope } from '../scope.ts'
import { Plan } from './plan.entity.ts'

/** Throws `INVALID_PARAMETERS` when no plan has the name. */
export async function findPlan(em: EntityManager, name: string): Promise<Plan> {
  const plan = name.includes('\0') ? null : await em.findOne(Plan, name)
  if (!plan) throw invalidParameter('plan', `No plan has the name ${name}.`)
  return plan
}

/** All plans, ordered by name. */
export async function listPlans(scope: OperatorScope): Promise<Plan[]> {
  return await scope.em.find(Plan, {}, { orderBy: { name: 'asc' } })
}
