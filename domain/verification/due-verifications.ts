import { int, type Typed, text, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { ProviderUnavailable } from '../ports.ts'
import type { ProviderResult } from '../provider-result.ts'
import type { Scope } from '../scope.ts'
import { traced } from '../tracing.ts'

/** Rows claimed in one batch, and processed concurrently. */
const batchSize = 20

/** Longer than the provider's deadline of 10 s. Another worker gets the row of one that was killed after it. */
const leaseMs = 30_000

const dueValues = { now: timestamp, leaseUntil: timestamp, limit: int }

const dueRow = {
  tenantId: uuid,
  verificationId: uuid,
  providerSessionId: text,
  /** Earlier attempts. */
  attempts: int,
}

/**
 * Claims verifications whose time in the column `dueAt` has come, and moves that to the end of the lease. The session is a
 * subquery, so that one partition is read for each row, whatever the plan.
 */
export function claimDue(name: string, dueAt: 'closes_at' | 'poll_at', attempts: string) {
  return statement({
    name,
    text: `update open_verification o set ${dueAt} = :leaseUntil
     where o.verification_id = any (array(
       select verification_id from open_verification where ${dueAt} <= :now
       order by ${dueAt} limit :limit for update skip locked
     ))
     returning o.tenant_id as "tenantId", o.verification_id as "verificationId", (
       select v.provider_session_id from verification v where v.tenant_id = o.tenant_id and v.id = o.verification_id
     ) as "providerSessionId", o.${attempts} as attempts`,
    values: dueValues,
    row: dueRow,
  })
}

export type DueVerification = Typed<typeof dueRow>

/**
 * Claims a batch of due verifications under a lease and processes them concurrently; the work reschedules a row only
 * if its lease is still the one that it was given. Returns the size of the batch.
 */
export async function processDue(
  scope: Scope,
  claim: ReturnType<typeof claimDue>,
  work: (due: DueVerification, leaseUntil: Date) => Promise<void>,
): Promise<number> {
  const { now } = scope
  const leaseUntil = new Date(now.getTime() + leaseMs)
  const due = await claim(scope.pool, { now, leaseUntil, limit: batchSize })
  await runConcurrently(due, verification => {
    const { tenantId, verificationId } = verification
    const job = {
      kind: 'job',
      name: claim.definition.name,
      attributes: { tenantId, verificationId },
    } as const
    return traced(job, () => work(verification, leaseUntil))
  })
  return due.length
}

/** The provider's decision; undefined while there is none. */
export async function fetchDecision(
  scope: Scope,
  { verificationId, providerSessionId }: DueVerification,
): Promise<ProviderResult | undefined | 'unavailable'> {
  try {
    return await scope.provider.fetchDecision(providerSessionId)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    scope.log.warn({ verificationId, reason: error.message }, 'Polling the provider for a decision failed')
    return 'unavailable'
  }
}

/**
 * Runs the work for all items concurrently. Throws the first failure, but only after all have settled: nothing is
 * still running when it returns.
 */
export async function runConcurrently<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const outcomes = await Promise.allSettled(items.map(work))
  const failure = outcomes.find(outcome => outcome.status === 'rejected')
  if (failure) throw failure.reason
}
