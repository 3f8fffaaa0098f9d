import type { EntityManager } from '@mikro-orm/postgresql'
import { newId } from '../ids.ts'
import { defaultPlan } from '../plan/ensure-default-plan.ts'
import { findPlan } from '../plan/find-plan.ts'
import type { Scope } from '../scope.ts'
import { Tenant } from './tenant.entity.ts'

export interface NewTenant {
  name: string
  /** The default plan if omitted. */
  plan?: string | undefined
}

/** A user who provisions a tenant in the console. */
export interface Provisioner {
  issuer: string
  subject: string
}

/** Inserts a tenant with an active subscription, within a transaction. */
export async function addTenant(
  { now }: Scope,
  em: EntityManager,
  added: NewTenant,
  provisioner?: Provisioner,
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
