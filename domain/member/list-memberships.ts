import { validate } from 'uuid'
import { text, timestamp } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { cutPage, type Page, type PageRequest, readPage } from '../page.ts'
import type { Role } from '../permissions.ts'
import type { Scope, UserScope } from '../scope.ts'
import { Tenant } from '../tenant/tenant.entity.ts'
import { Member } from './member.entity.ts'
import { membershipsMax } from './member.policy.ts'
import { commonProfile, type Profile } from './profile.policy.ts'

export interface Membership {
  tenantId: string
  tenantName: string
  role: Role
  /** False for a disabled tenant. */
  enabled: boolean
  /** As stored in this membership. */
  profile: Profile
}

const dayMs = 24 * 60 * 60 * 1000

/** The acting user's memberships, oldest first. Records, at most once a day, that the user has signed in. */
export async function listOwnMemberships(
  scope: UserScope,
  request: PageRequest = {},
): Promise<Page<Membership>> {
  const { limit, cursor } = readPage(request)
  const { issuer, subject } = scope.actor
  const where = { issuer, subject, ...(cursor && { id: { $gt: cursor } }) }
  const found = await scope.em.find(Member, where, { orderBy: { id: 'asc' }, limit: limit + 1 })
  await keepSignIn(scope, found)
  const memberships = await withTenants(scope, found)
  const idByTenant = new Map(found.map(({ tenantId, id }) => [tenantId, id]))
  return cutPage(memberships, limit, ({ tenantId }) => idByTenant.get(tenantId)!)
}

/**
 * The acting user's membership of the tenant that was selected by its ID, if there is one; without a selection, the only
 * membership, or two of several. Records the sign-in as `listOwnMemberships` does.
 */
export async function findOwnMemberships(scope: UserScope, selected?: string): Promise<Membership[]> {
  if (selected !== undefined && !validate(selected)) return []
  const { issuer, subject } = scope.actor
  const where = { issuer, subject, ...(selected && { tenantId: selected }) }
  const members = await scope.em.find(Member, where, { orderBy: { id: 'asc' }, limit: 2 })
  await keepSignIn(scope, members)
  return await withTenants(scope, members)
}

/** The profile that is stored in all of the acting user's memberships; null if one of them has another one, or none. */
export async function findOwnProfile(scope: UserScope): Promise<Profile | null> {
  const { issuer, subject } = scope.actor
  const members = await scope.em.find(Member, { issuer, subject }, { limit: membershipsMax })
  return commonProfile(members.map(({ name = null, email = null }) => ({ name, email })))
}

async function keepSignIn({ pool, now, actor }: UserScope, members: Member[]): Promise<void> {
  const { issuer, subject } = actor
  const seenBefore = new Date(now.getTime() - dayMs)
  if (members.every(({ lastSeenAt }) => lastSeenAt && lastSeenAt >= seenBefore)) return
  await recordSignIn(pool, { issuer, subject, seenBefore, now })
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
