import { ApiKey } from '../api-key/api-key.entity.ts'
import { ApiKeyUsage } from '../api-key/api-key-usage.entity.ts'
import { timeOfId } from '../ids.ts'
import { firstRetainedId } from '../retention.policy.ts'
import type { TenantScope } from '../scope.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import { UsageDay } from '../usage/usage-day.entity.ts'
import type { VerificationStatus } from '../verification-status.ts'
import { Verification } from './verification.entity.ts'

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

type FirstVerification = Pick<Verification, 'id' | 'status' | 'completedAt'>

async function firstVerifications(scope: TenantScope): Promise<FirstVerification[]> {
  const { em, actor } = scope
  const retained = { tenantId: actor.tenantId, id: { $gte: firstRetainedId(scope) } }
  return await em.find(Verification, retained, { ...oldestFirst, limit: firstMax })
}

const oldestFirst = { fields: ['status', 'completedAt'], orderBy: { id: 'asc' } } as const

/** Of hundreds that all are open, the table of the days says whether to look further. */
async function firstCompletion(scope: TenantScope, first: FirstVerification[]): Promise<Date | null> {
  const times = first.flatMap(({ completedAt }) => completedAt ?? [])
  if (times.length > 0) return new Date(Math.min(...times.map(Number)))
  if (first.length < firstMax || !(await hasCompleted(scope))) return null
  const { em, actor } = scope
  const completed = {
    tenantId: actor.tenantId,
    id: { $gte: firstRetainedId(scope) },
    completedAt: { $ne: null },
  }
  return (await em.findOne(Verification, completed, oldestFirst))?.completedAt ?? null
}

async function hasCompleted({ em, actor: { tenantId } }: TenantScope): Promise<boolean> {
  const some = { $gt: 0 }
  const day = { tenantId, $or: [{ approved: some }, { denied: some }, { rejected: some }] }
  return (await em.findOne(UsageDay, day)) !== null
}

async function firstDayOf(
  { em, actor: { tenantId } }: TenantScope,
  request: 'statusReads' | 'validations',
): Promise<string | null> {
  const where = { tenantId, [request]: { $gt: 0 } }
  const found = await em.findOne(ApiKeyUsage, where, { orderBy: { day: 'asc' } })
  return found?.day ?? null
}
