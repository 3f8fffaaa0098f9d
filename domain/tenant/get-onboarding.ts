import { sql } from 'kysely'
import { ApiKey } from '../api-key/api-key.entity.ts'
import { ApiKeyUsage } from '../api-key/api-key-usage.entity.ts'
import { rowsOf, tables } from '../database/tables.ts'
import { timeOfId } from '../ids.ts'
import type { TenantScope } from '../scope.ts'
import { firstRetainedId } from '../verification/retention.policy.ts'
import type { VerificationStatus } from '../verification/verification.policy.ts'
import { findTenant } from './find-tenant.ts'

/** How far a tenant has come with its integration, from what has happened. */
export interface Onboarding {
  /** The oldest key that is neither revoked nor expired. */
  apiKey: { createdAt: Date } | null
  /** When a key was last used, to the minute. */
  keyUsedAt: Date | null
  /** The oldest verification that is stored. */
  firstVerification: { verificationId: string; status: VerificationStatus; createdAt: Date } | null
  /** When the first of the stored verifications was completed. */
  firstCompletedAt: Date | null
  /** The first UTC day on which a status was read with a key that is stored, `YYYY-MM-DD`; up to 10 s late. */
  statusReadAt: string | null
  /** The same for the validation of a token. */
  tokenValidatedAt: string | null
  webhookUrlSet: boolean
}

/** The first verifications, among which the first completion is looked for. */
const firstMax = 100

export async function getOnboarding(scope: TenantScope): Promise<Onboarding> {
  const { webhookUrl } = await findTenant(scope)
  const [first, ...next] = await firstVerifications(scope)
  return {
    ...(await keysOf(scope)),
    firstVerification: first
      ? { verificationId: first.id, status: first.status, createdAt: timeOfId(first.id) }
      : null,
    firstCompletedAt: first ? await firstCompletion(scope, [first, ...next]) : null,
    statusReadAt: await firstDayOf(scope, 'statusReads'),
    tokenValidatedAt: await firstDayOf(scope, 'validations'),
    webhookUrlSet: Boolean(webhookUrl),
  }
}

async function keysOf({ em, actor: { tenantId }, now }: TenantScope) {
  const isLive = { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] }
  const oldest = await em.findOne(ApiKey, { tenantId, ...isLive }, { orderBy: { id: 'asc' } })
  const used = { tenantId, lastUsedAt: { $ne: null } }
  const latest = await em.findOne(ApiKey, used, { orderBy: { lastUsedAt: 'desc' } })
  return { apiKey: oldest && { createdAt: oldest.createdAt }, keyUsedAt: latest?.lastUsedAt ?? null }
}

interface FirstVerification {
  id: string
  status: VerificationStatus
  completed_at?: Date | string | null | undefined
}

async function firstVerifications(scope: TenantScope): Promise<FirstVerification[]> {
  return await rowsOf(oldestFirst(scope).limit(firstMax))
}

function oldestFirst(scope: TenantScope) {
  return tables(scope.em)
    .selectFrom('verification')
    .select(['id', 'status', 'completed_at'])
    .where('tenant_id', '=', scope.actor.tenantId)
    .where('id', '>=', firstRetainedId(scope))
    .orderBy('id')
}

/** Of hundreds that all are open, the table of the days says whether to look further. */
async function firstCompletion(scope: TenantScope, first: FirstVerification[]): Promise<Date | null> {
  const known = earliest(first)
  if (known || first.length < firstMax || !(await hasCompleted(scope))) return known
  return earliest(await rowsOf(oldestFirst(scope).where('completed_at', 'is not', null).limit(1)))
}

function earliest(verifications: FirstVerification[]): Date | null {
  const times = verifications.flatMap(({ completed_at }) =>
    completed_at ? [Number(new Date(completed_at))] : [],
  )
  return times.length > 0 ? new Date(Math.min(...times)) : null
}

async function hasCompleted({ em, actor }: TenantScope): Promise<boolean> {
  const days = tables(em)
    .selectFrom('usage_day')
    .select('day')
    .where('tenant_id', '=', actor.tenantId)
    .where(sql<number>`approved + denied + rejected`, '>', 0)
  return (await rowsOf(days.limit(1))).length > 0
}

async function firstDayOf(
  { em, actor: { tenantId } }: TenantScope,
  request: 'statusReads' | 'validations',
): Promise<string | null> {
  const where = { tenantId, [request]: { $gt: 0 } }
  const found = await em.findOne(ApiKeyUsage, where, { orderBy: { day: 'asc' } })
  return found?.day ?? null
}
