import { text, timestamp } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { Scope, UserScope } from '../scope.ts'
import { Tenant } from '../tenant/tenant.entity.ts'
import { Member } from './member.entity.ts'
import { membershipsMax, type Role } from './member.policy.ts'
import type { Profile } from './profile.policy.ts'

export interface Membership {
  tenantId: string
  tenantName: string
  role: Role
  /** False for a disabled tenant. */
  enabled: boolean
  /** As stored in this membership. */
  profile: Profile
}

/** The user's memberships, oldest first; at most 100. */
export async function listMemberships(
  scope: Scope,
  user: { issuer: string; subject: string },
): Promise<Membership[]> {
  return await withTenants(scope, await findMembers(scope, user))
}

const dayMs = 24 * 60 * 60 * 1000

/** The acting user's memberships. Records, at most once a day, that the user has signed in. */
export async function listOwnMemberships(scope: UserScope): Promise<Membership[]> {
  const { issuer, subject } = scope.actor
  const { now, pool } = scope
  const members = await findMembers(scope, { issuer, subject })
  const seenBefore = new Date(now.getTime() - dayMs)
  if (members.some(({ lastSeenAt }) => !lastSeenAt || lastSeenAt < seenBefore)) {
    await recordSignIn(pool, { issuer, subject, seenBefore, now })
  }
  return await withTenants(scope, members)
}

async function findMembers(
  { em }: Scope,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<Member[]> {
  return await em.find(Member, { issuer, subject }, { orderBy: { id: 'asc' }, limit: membershipsMax })
}

async function withTenants({ em }: Scope, members: Member[]): Promise<Membership[]> {
  const tenants = await em.find(Tenant, { id: { $in: members.map(member => member.tenantId) } })
  const byId = new Map(tenants.map(tenant => [tenant.id, tenant]))
  return members.flatMap(({ tenantId, role, name = null, email = null }) => {
    const tenant = byId.get(tenantId)
    const profile = { name, email }
    return tenant ? [{ tenantId, tenantName: tenant.name, role, enabled: tenant.enabled, profile }] : []
  })
}

// Rows that another transaction has locked are skipped: a call of the console must not wait, and the next one retries.
export const recordSignIn = statement({
  name: 'record-sign-in',
  text: `update member m set last_seen_at = :now from (
     select tenant_id from member
     where issuer = :issuer and subject = :subject and (last_seen_at is null or last_seen_at < :seenBefore)
     for update skip locked
   ) stale
   where m.tenant_id = stale.tenant_id and m.issuer = :issuer and m.subject = :subject`,
  values: { issuer: text, subject: text, seenBefore: timestamp, now: timestamp },
  row: {},
})
