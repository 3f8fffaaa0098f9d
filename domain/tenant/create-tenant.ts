import type { EntityManager } from '@mikro-orm/postgresql'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { newId } from '../ids.ts'
import type { MemberUser } from '../member/member.entity.ts'
import { invalidParameter, lineOfText, readParameter } from '../parameters.ts'
import { forTenant, type OperatorScope, type Rules, type Scope } from '../scope.ts'
import { defaultPlan, ensureDefaultPlan } from './ensure-default-plan.ts'
import { findPlan } from './find-plan.ts'
import { Tenant } from './tenant.entity.ts'
import { addWebhookSecret } from './webhook-secrets.ts'

/** Creates a tenant with an active subscription. Throws `INVALID_PARAMETERS` for an unknown plan, and as `decideTest` does. */
export async function createTenant(scope: OperatorScope, input: NewTenant): Promise<Tenant> {
  const name = readParameter('name', tenantName, input.name)
  await ensureDefaultPlan(scope)
  return await transaction(scope, async em => {
    const tenant = await addTenant(scope, em, { name, plan: input.plan, test: input.test })
    const changes = { name, plan: tenant.plan.name, ...(tenant.test && { test: true }) }
    const audited = { action: 'tenant.create' as const, target: tenant.id, changes }
    recordAuditEvent(forTenant(scope, tenant.id), em, audited)
    return tenant
  })
}

export interface NewTenant {
  name: string
  /** The default plan if omitted. */
  plan?: string | undefined
  /** Whether its verifications are test ones. Where no identity provider is configured, they always are. */
  test?: boolean | undefined
}

/**
 * Inserts a tenant with an active subscription, within a transaction. A test tenant has a webhook secret from the beginning,
 * because it can ask for events that are sent nowhere. `provisioner`: who provisions it in the console.
 */
export async function addTenant(
  scope: Scope,
  em: EntityManager,
  added: NewTenant,
  provisioner?: MemberUser,
): Promise<Tenant> {
  const { now, rules } = scope
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
    webhookAcceptedAt: null,
    returnUrl: null,
    retentionDays: null,
    test: decideTest(rules, added.test),
  })
  // Audit events and members refer to the tenant by its bare id, so the row has to exist before theirs.
  await em.flush()
  if (tenant.test) addWebhookSecret(scope, em, tenant.id)
  return tenant
}

/** Whether a new tenant is a test tenant. Throws `INVALID_PARAMETERS` where one is wanted and the operator allows none. */
export function decideTest({ testTenants }: Pick<Rules, 'testTenants'>, wanted = false): boolean {
  if (!wanted || testTenants !== 'off') return wanted || testTenants === 'only'
  throw invalidParameter('test', 'This service has no test tenants: its operator can set TEST_TENANTS=true.')
}

export const tenantName = lineOfText('The name', 200)
