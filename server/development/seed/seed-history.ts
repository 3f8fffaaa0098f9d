import { z } from 'zod'
import { transaction } from '#domain/database/transaction.ts'
import { listMembers } from '#domain/member/list-members.ts'
import { readParameter } from '#domain/parameters.ts'
import type { Scope } from '#domain/scope.ts'
import { ensureSigningKey } from '#domain/signing-key/ensure-signing-key.ts'
import { SigningKey } from '#domain/signing-key/signing-key.entity.ts'
import type { Tenant } from '#domain/tenant/tenant.entity.ts'
import { inventTokens, type TokenSource } from './invent-tokens.ts'
import { inventVerification } from './invent-verification.ts'
import type { Random } from './random.ts'
import { startTimes } from './start-times.ts'
import { writeHistory } from './write-history.ts'

export interface SeedRequest {
  tenant: Tenant
  /** Verifications to write. */
  count: number
  onProgress?: (written: number) => void
  random?: Random
}

export interface SeededHistory {
  verifications: number
  tokens: number
  revokedTokens: number
  /** When the first was started, ISO 8601. */
  from: string | null
  to: string | null
}

/** Verifications a transaction. */
const batchSize = 1_000
const monthMs = 30 * 24 * 60 * 60 * 1000

/**
 * Writes a made-up history up to now: verifications with timelines and tokens, usage that agrees with them, and
 * revocations in the audit log. No events are sent for it. Interrupted, it leaves what was written so far.
 */
export async function seedHistory(scope: Scope, request: SeedRequest): Promise<SeededHistory> {
  const { tenant, onProgress = () => {}, random = Math.random } = request
  const count = readParameter('verifications', seedCount, request.count)
  const source = await tokenSource(scope, tenant, random)
  const from = new Date(scope.now.getTime() - historyMonths(tenant, count) * monthMs)
  const times = startTimes(count, from, scope.now, random)
  const seeded = { verifications: 0, tokens: 0, revokedTokens: 0 }
  while (seeded.verifications < count) {
    const batch = [...times.subarray(seeded.verifications, seeded.verifications + batchSize)].map(ms =>
      inventVerification(new Date(ms), scope.now, scope.rules, random),
    )
    const tokens = await inventTokens(scope, source, batch)
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

/** As many months as it takes to stay within the monthly quota, so that the tenant can still start some. */
function historyMonths({ plan }: Tenant, count: number): number {
  const limit = plan.overage ? plan.hardLimit : Math.min(plan.monthlyQuota, plan.hardLimit)
  return Math.min(36, Math.max(5, Math.ceil(count / (limit * 0.6 + 1))))
}

async function tokenSource(scope: Scope, tenant: Tenant, random: Random): Promise<TokenSource> {
  await ensureSigningKey(scope.pool, scope.cipher, scope.now)
  const { kid } = await scope.em.fork().findOneOrFail(SigningKey, { retiredAt: null })
  const members = await listMembers(scope, { tenantId: tenant.id })
  const actors = members.filter(member => member.role !== 'viewer').map(member => member.subject)
  return { tenantId: tenant.id, kid, actors: actors.length > 0 ? actors : ['operator'], random }
}

function isoTime(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}
