import { validate } from 'uuid'
import { boolean, int, nullable, type Typed, text, textOf, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { cutPageBySize, type Page, type PageRequest, readPage } from '../page.ts'
import type { Role } from '../permissions.ts'
import type { UserScope } from '../scope.ts'
import { dayMs } from '../usage/usage-period.ts'
import { Member } from './member.entity.ts'
import { membershipsMax } from './member.policy.ts'
import { commonProfile, type Profile } from './profile.policy.ts'

export interface Membership {
  tenantId: string
  tenantName: string
  role: Role
  /** False for a disabled tenant. */
  enabled: boolean
  /** Whether it is a test tenant. */
  test: boolean
  /** As stored in this membership. */
  profile: Profile
}

/** The acting user's memberships, oldest first. Records, at most once a day, that the user has signed in. */
export async function listOwnMemberships(
  scope: UserScope,
  request: PageRequest = {},
): Promise<Page<Membership>> {
  const { limit, cursor } = readPage(request)
  const found = await find(scope, { tenantId: null, after: cursor ?? null, limit: limit + 1 })
  const { items, nextCursor } = cutPageBySize(found, limit, ({ id }) => id)
  return { items: items.map(toMembership), nextCursor }
}

/**
 * The acting user's membership of the tenant that was selected by its ID, if there is one; without a selection, the only
 * membership, or two of several. Records the sign-in as `listOwnMemberships` does.
 */
export async function findOwnMemberships(scope: UserScope, selected?: string): Promise<Membership[]> {
  if (selected !== undefined && !validate(selected)) return []
  const found = await find(scope, { tenantId: selected ?? null, after: null, limit: 2 })
  return found.map(toMembership)
}

/** The profile that is stored in all of the acting user's memberships; null if one of them has another one, or none. */
export async function findOwnProfile(scope: UserScope): Promise<Profile | null> {
  const { issuer, subject } = scope.actor
  const members = await scope.em.find(Member, { issuer, subject }, { limit: membershipsMax })
  return commonProfile(members.map(({ name = null, email = null }) => ({ name, email })))
}

async function find(
  { pool, now, actor: { issuer, subject } }: UserScope,
  page: { tenantId: string | null; after: string | null; limit: number },
): Promise<MembershipRow[]> {
  const found = await findMemberships(pool, { issuer, subject, ...page })
  const seenBefore = new Date(now.getTime() - dayMs)
  const isRecorded = found.every(({ last_seen_at }) => last_seen_at && last_seen_at >= seenBefore)
  if (!isRecorded) await recordSignIn(pool, { issuer, subject, seenBefore, now })
  return found
}

function toMembership({ tenant_id, tenant_name, name, email, ...row }: MembershipRow): Membership {
  const { role, enabled, test } = row
  return { tenantId: tenant_id, tenantName: tenant_name, role, enabled, test, profile: { name, email } }
}

type MembershipRow = Typed<typeof findMemberships.definition.row>

/** Read by every call of the console: without a tenant or an earlier membership, from the oldest one. */
export const findMemberships = statement({
  name: 'find-memberships',
  text: `select m.id, m.tenant_id, t.name as tenant_name, t.disabled_at is null as enabled, t.test,
      m.role, m.name, m.email, m.last_seen_at
    from member m join tenant t on t.id = m.tenant_id
    where m.issuer = :issuer and m.subject = :subject
      and (:tenantId is null or m.tenant_id = :tenantId) and (:after is null or m.id > :after)
    order by m.id limit :limit`,
  values: { issuer: text, subject: text, tenantId: nullable(uuid), after: nullable(uuid), limit: int },
  row: {
    id: uuid,
    tenant_id: uuid,
    tenant_name: text,
    enabled: boolean,
    test: boolean,
    role: textOf<Role>(),
    name: nullable(text),
    email: nullable(text),
    last_seen_at: nullable(timestamp),
  },
})

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
