import type { EntityManager } from '@mikro-orm/postgresql'
import { invalidParameter } from '../parameters.ts'
import { Plan } from './plan.entity.ts'

/** Throws `INVALID_PARAMETERS` when no plan has the name. */
export async function findPlan(em: EntityManager, name: string): Promise<Plan> {
  const plan = name.includes('\0') ? null : await em.findOne(Plan, name)
  if (!plan) throw invalidParameter('plan', `No plan has the name ${name}.`)
  return plan
}
