import { transaction } from '../database/transaction.ts'
import { readParameter } from '../parameters.ts'
import { ensureDefaultPlan } from '../plan/ensure-default-plan.ts'
import type { Scope } from '../scope.ts'
import { addTenant } from './add-tenant.ts'
import type { Tenant } from './tenant.entity.ts'
import { tenantName } from './tenant.policy.ts'

export interface NewTenant {
  name: string
  /** The default plan where it is not named. */
  plan?: string | undefined
}

/** A new tenant, provisioned, with an active subscription. Throws `INVALID_PARAMETERS` for an unknown plan. */
export async function createTenant(scope: Scope, input: NewTenant): Promise<Tenant> {
  const name = readParameter('name', tenantName, input.name)
  await ensureDefaultPlan(scope)
  return await transaction(scope, em =>
    addTenant(scope, em, { name, plan: input.plan, action: 'tenant.create' }),
  )
}
