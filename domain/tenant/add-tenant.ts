import type { EntityManager } from '@mikro-orm/postgresql'
import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { newId } from '../ids.ts'
import { findPlan } from '../plan/find-plan.ts'
import { defaultPlanName } from '../plan/plan.policy.ts'
import type { Scope } from '../scope.ts'
import { Tenant } from './tenant.entity.ts'

export interface AddedTenant {
  name: string
  /** The default plan where it is not named. */
  plan?: string | undefined
  action: 'tenant.create' | 'tenant.provision'
}

/** Adds a tenant within a transaction. */
export async function addTenant(scope: Scope, em: EntityManager, added: AddedTenant): Promise<Tenant> {
  const { now } = scope
  const plan = await findPlan(em, added.plan ?? defaultPlanName)
  const id = newId(now)
  const tenant = em.create(Tenant, {
    ...{ id, name: added.name, plan, subscription: 'active', createdAt: now, provisionedAt: now },
    ...{ disabledAt: null, webhookUrl: null, returnUrl: null },
  })
  // Written before the audit event, which refers to it by its bare id.
  await em.flush()
  const changes = { name: added.name, plan: plan.name }
  recordAuditEvent(scope, em, { tenantId: id, action: added.action, target: id, changes })
  return tenant
}
