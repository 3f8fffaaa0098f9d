import type { EntityManager } from '@mikro-orm/postgresql'
import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { newId } from '../ids.ts'
import type { MemberUser } from '../member/member.entity.ts'
import { lineOfText, readParameter } from '../parameters.ts'
import { defaultPlan, ensureDefaultPlan } from '../plan/ensure-default-plan.ts'
import { findPlan } from '../plan/find-plan.ts'
import { forTenant, type OperatorScope, type Scope } from '../scope.ts'
import { Tenant } from './tenant.entity.ts'

/** Creates a tenant with an active subscription. Throws `INVALID_PARAMETERS` for an unknown plan. */
export async function createTenant(scope: OperatorScope, input: NewTenant): Promise<Tenant> {
  const name = readParameter('name', tenantName, input.name)
  await ensureDefaultPlan(scope)
  return await transaction(scope, async em => {
    const tenant = await addTenant(scope, em, { name, plan: input.plan })
    const changes = { name, plan: tenant.plan.name }
    const audited = { action: 'tenant.create' as const, target: tenant.id, changes }
    recordAuditEvent(forTenant(scope, tenant.id), em, audited)
    return tenant
  })
}

export interface NewTenant {
  name: string
  /** The default plan if omitted. */
  plan?: string | undefined
}

/** Inserts a tenant with an active subscription, within a transaction. `provisioner`: who provisions it in the console. */
export async function addTenant(
  { now }: Scope,
  em: EntityManager,
  added: NewTenant,
  provisioner?: MemberUser,
): Promise<Tenant> {
  const plan = await findPlan(em, added.plan ?? defaultPlan.name)
  const tenant = em.create(Tenant, {
    id: newId(now),
    name: added.name,
    plan,
    subscription: 'active',
    createdAt: now,
    provisionedByIssuer: provisioner?.issuer ?? null,
    provisionedBySubject: provisioner?.subject ?? null,
    disabledAt: null,
    webhookUrl: null,
    returnUrl: null,
  })
  // Audit events and members refer to the tenant by its bare id, so the row has to exist before theirs.
  await em.flush()
  return tenant
}

export const tenantName = lineOfText('The name', 200)
