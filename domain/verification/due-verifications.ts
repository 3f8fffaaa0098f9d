import { boolean, int, type Typed, text, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'

/** Rows claimed in one batch, and processed concurrently. */
const batchSize = 20

/**
 * Longer than the provider's deadline of 10 s, twice where an integration was replaced.
 * Another worker gets the row of one that was killed after it.
 */
const leaseMs = 30_000

const dueRow = {
  tenantId: uuid,
  verificationId: uuid,
  test: boolean,
  providerSessionId: text,
  /** Earlier attempts. */
  attempts: int,
}

export type DueVerification = Typed<typeof dueRow>

/**
 * Declares the statements of work that is due at the time in one column, and whose attempts another one counts. `order`:
 * whether what became due first or last is processed first.
 */
export function dueWork(
  name: string,
  dueAt: 'closes_at' | 'poll_at',
  attempts: 'close_attempts' | 'poll_attempts',
  order: 'asc' | 'desc',
) {
  /** Moves the time to the end of the lease. */
  const claim = statement({
    name: `claim-due-${name}`,
    text: `with due as (
       update open_verification set ${dueAt} = :leaseUntil where verification_id = any (array(
         select verification_id from open_verification where ${dueAt} <= :now
         order by ${dueAt} ${order} limit :limit for update skip locked
       ))
       returning tenant_id, verification_id, ${attempts} as attempts
     )
     select d.tenant_id as "tenantId", d.verification_id as "verificationId", v.test,
       v.provider_session_id as "providerSessionId", d.attempts
     from due d cross join lateral (
       select test, provider_session_id from verification where id = d.verification_id limit 1
     ) v`,
    values: { now: timestamp, leaseUntil: timestamp, limit: int },
    row: dueRow,
  })
  /** Only under the worker's own lease: something else may have rescheduled it in the meantime. */
  const reschedule = statement({
    name: `reschedule-${name}`,
    text: `update open_verification
     set ${dueAt} = :next, ${attempts} = ${attempts} + 1
     where tenant_id = :tenantId and verification_id = :verificationId and ${dueAt} = :leaseUntil`,
    values: { tenantId: uuid, verificationId: uuid, leaseUntil: timestamp, next: timestamp },
    row: {},
  })
  return { claim, reschedule, statements: [claim, reschedule] as const }
}

/**
 * Claims a batch of due verifications under a lease and processes them concurrently. The work returns when it is due next;
 * undefined if the verification is completed. Returns the size of the batch. Throws the first failure, after all have
 * settled: nothing is still running then.
 */
export async function processDue(
  scope: Scope,
  { claim, reschedule }: ReturnType<typeof dueWork>,
  work: (due: DueVerification) => Promise<Date | undefined>,
): Promise<number> {
  const { now, pool } = scope
  const leaseUntil = new Date(now.getTime() + leaseMs)
  const due = await claim(pool, { now, leaseUntil, limit: batchSize })
  const outcomes = await Promise.allSettled(
    due.map(async verification => {
      const { tenantId, verificationId } = verification
      const next = await work(verification)
      if (next !== undefined) await reschedule(pool, { tenantId, verificationId, leaseUntil, next })
    }),
  )
  const failure = outcomes.find(outcome => outcome.status === 'rejected')
  if (failure) throw failure.reason
  return due.length
}
