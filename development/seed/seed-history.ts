import { z } from 'zod'
import { recordAuditEvent } from '#domain/audit-event/record-audit-event.ts'
import { transaction } from '#domain/database/transaction.ts'
import { listMembers } from '#domain/member/list-members.ts'
import { allPages } from '#domain/page.ts'
import { readParameter } from '#domain/parameters.ts'
import type { TenantScope } from '#domain/scope.ts'
import type { Tenant } from '#domain/tenant/tenant.entity.ts'
import { createPartitions } from '#domain/verification/maintain-partitions.ts'
import { generateTokens, type SeedActor, type TokenSource } from './generate-tokens.ts'
import { generateVerification } from './generate-verification.ts'
import type { Random } from './random.ts'
import { startTimes } from './start-times.ts'
import { throwAwayKeyRing } from './throw-away-key.ts'
import { writeHistory } from './write-history.ts'

export interface SeedRequest {
  tenant: Tenant
  /** The number of verifications to write. */
  count: number
  /** Called after each transaction with the number of verifications written so far. */
  onProgress?: (written: number) => void
  random?: Random
}

export interface SeededHistory {
  verifications: number
  tokens: number
  revokedTokens: number
  /** When the first verification was started, ISO 8601. */
  from: string | null
  /** When the last one was started. */
  to: string | null
}

/** Verifications per transaction. */
const batchSize = 1_000
const monthMs = 30 * 24 * 60 * 60 * 1000

/**
 * Writes a generated history up to now: verifications with timelines and tokens, matching usage counts, and
 * revocations in the audit log, after an audit event of its own. The tokens never validate: their key is thrown away.
 * No webhook events are sent. If interrupted, the committed part stays. Throws INVALID_PARAMETERS if the count is not
 * from 1 to 20,000,000.
 */
export async function seedHistory(scope: TenantScope, request: SeedRequest): Promise<SeededHistory> {
  const { tenant, onProgress = () => {}, random = Math.random } = request
  const count = readParameter('verifications', seedCount, request.count)
  const { keyRing, ...source } = await tokenSource(scope, tenant, random)
  await transaction(scope, async em => {
    const changes = { verifications: count }
    recordAuditEvent(scope, em, { action: 'demo.seed', target: tenant.id, changes })
  })
  const from = new Date(scope.now.getTime() - historyMonths(scope, tenant, count) * monthMs)
  await createPartitions(scope, from, scope.now)
  const times = startTimes(count, from, scope.now, random)
  const seeded = { verifications: 0, tokens: 0, revokedTokens: 0 }
  while (seeded.verifications < count) {
    const batch = [...times.subarray(seeded.verifications, seeded.verifications + batchSize)].map(ms =>
      generateVerification(new Date(ms), scope.now, scope.rules, random),
    )
    const tokens = await generateTokens({ ...scope, keyRing }, source, batch)
    await transaction(scope, em => writeHistory(em, tenant.id, batch, tokens))
    seeded.verifications += batch.length
    seeded.tokens += tokens.length
    seeded.revokedTokens += tokens.filter(token => token.revokedAt).length
    onProgress(seeded.verifications)
  }
  return { ...seeded, from: isoTime(times.at(0)), to: isoTime(times.at(-1)) }
}

const countMessage = 'The number of verifications must be from 1 to 20,000,000.'
const seedCount = z.int(countMessage).min(1, countMessage).max(20_000_000, countMessage)

/**
 * Enough months (at least 5, and at most what is retained) to stay below the monthly quota, so that the tenant can still
 * start verifications.
 */
function historyMonths({ rules }: TenantScope, { plan }: Tenant, count: number): number {
  const limit = plan.overage ? plan.hardLimit : Math.min(plan.monthlyQuota, plan.hardLimit)
  return Math.min(rules.verificationRetentionMs / monthMs, Math.max(5, Math.ceil(count / (limit * 0.6 + 1))))
}

async function tokenSource(
  scope: TenantScope,
  tenant: Tenant,
  random: Random,
): Promise<TokenSource & Pick<TenantScope, 'keyRing'>> {
  const { kid, keyRing } = await throwAwayKeyRing(scope.pool)
  const members = await allPages(request => listMembers(scope, request))
  const actors: SeedActor[] = members
    .filter(member => member.role !== 'viewer')
    .map(({ issuer, subject }) => ({ actor_kind: 'member', actor_issuer: issuer, actor_subject: subject }))
  if (actors.length === 0) actors.push({ actor_kind: 'operator', actor_issuer: null, actor_subject: null })
  return { tenantId: tenant.id, kid, keyRing, actors, random }
}

function isoTime(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}
