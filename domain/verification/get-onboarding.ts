import type { FilterQuery } from '@mikro-orm/postgresql'
import { ApiKey } from '../api-key/api-key.entity.ts'
import { timeOfId } from '../ids.ts'
import { firstRetainedId } from '../retention.policy.ts'
import type { TenantScope } from '../scope.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import { UsageDay } from '../usage/usage-day.entity.ts'
import type { VerificationStatus } from '../verification-status.ts'
import { getDeliveryHealth, type LatestFailure } from '../webhook/delivery-health.ts'
import { Verification } from './verification.entity.ts'
import { completedStatuses } from './verification.policy.ts'

/** How far a tenant has come with its integration, from what has happened. */
export interface Onboarding {
  /** The oldest key that is neither revoked nor expired. */
  apiKey: { createdAt: Date } | null
  /** When a key was last used, to the minute. */
  keyUsedAt: Date | null
  /** The oldest verification that is stored. */
  firstVerification: { verificationId: string; status: VerificationStatus; createdAt: Date } | null
  /** When the first of the stored verifications that are completed was. */
  firstCompletedAt: Date | null
  webhookUrlSet: boolean
  /** When the receiver accepted an event; the latest of the last 24 hours, else the first that is known. */
  webhookAcceptedAt: Date | null
  /** The latest attempt that failed, of an event that is not accepted. */
  webhookFailure: LatestFailure | null
}

export async function getOnboarding(scope: TenantScope): Promise<Onboarding> {
  const { webhookUrl, webhookAcceptedAt } = await findTenant(scope)
  const { acceptedAt, latestFailure } = await getDeliveryHealth(scope)
  const first = await findFirst(scope, {})
  return {
    ...(await readKeys(scope)),
    firstVerification: first && {
      verificationId: first.id,
      status: first.status,
      createdAt: timeOfId(first.id),
    },
    firstCompletedAt: first && (await findFirstCompletion(scope)),
    webhookUrlSet: Boolean(webhookUrl),
    webhookAcceptedAt: acceptedAt ?? webhookAcceptedAt ?? null,
    webhookFailure: latestFailure,
  }
}

async function readKeys({ em, actor: { tenantId }, now }: TenantScope) {
  const isLive = { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] }
  const oldest = await em.findOne(ApiKey, { tenantId, ...isLive }, { orderBy: { id: 'asc' } })
  const used = { tenantId, lastUsedAt: { $ne: null } }
  const latest = await em.findOne(ApiKey, used, { orderBy: { lastUsedAt: 'desc' } })
  return { apiKey: oldest && { createdAt: oldest.createdAt }, keyUsedAt: latest?.lastUsedAt ?? null }
}

async function findFirst(scope: TenantScope, condition: FilterQuery<Verification>) {
  const retained = { tenantId: scope.actor.tenantId, id: { $gte: firstRetainedId(scope) } }
  const oldest = { fields: ['status', 'completedAt'], orderBy: { id: 'asc' } } as const
  return await scope.em.findOne(Verification, { $and: [retained, condition] }, oldest)
}

/** The table of the days says whether there is one: to find none would take reading all that are open. */
async function findFirstCompletion(scope: TenantScope): Promise<Date | null> {
  const { tenantId } = scope.actor
  const completions = completedStatuses.map(status => ({ [status]: { $gt: 0 } }))
  const counted = await scope.em.findOne(UsageDay, { tenantId, $or: completions })
  const completed = counted && (await findFirst(scope, { completedAt: { $ne: null } }))
  return completed?.completedAt ?? null
}
