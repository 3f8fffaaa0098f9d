import type { EntityManager } from '@mikro-orm/postgresql'
import { arrayOf, int, text, timestamp } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { inTransaction } from '../database/transaction.ts'
import { DomainError } from '../errors.ts'
import { timeOfId } from '../ids.ts'
import { retainedFrom } from '../retention.policy.ts'
import type { Scope } from '../scope.ts'
import { type DeletableSession, deleteAtProvider } from './delete-at-provider.ts'
import type { LockedVerification } from './delete-verifications.ts'

/** How long a session waits that the provider keeps. */
const retryMs = 24 * 60 * 60 * 1000

/** As many as are deleted at six a day in 400 days. With more, the provider's own retention comes first anyway. */
const queueMax = 2_400

/** Has the sessions of live verifications deleted at the provider, within the transaction that deletes them here. */
export async function queueSessions(
  em: EntityManager,
  now: Date,
  deleted: readonly (LockedVerification & DeletableSession)[],
): Promise<void> {
  const live = deleted.filter(({ test }) => !test)
  await addSessionDeletions(inTransaction(em), {
    providerSessionIds: live.map(({ providerSessionId }) => providerSessionId),
    startedAt: live.map(({ id }) => timeOfId(id)),
    dueAt: now,
    queueMax,
  })
}

/**
 * Has the provider delete the session that has waited longest. Only one, as Veriff deletes ten a day and erasures need
 * some of these; and none whose verification the service itself would have deleted by now. Throws `DATABASE_ERROR`.
 */
export async function deleteNextSession(scope: Scope): Promise<number> {
  const { pool, now } = scope
  const [next] = await findNextSession(pool, { now, retainedFrom: retainedFrom(scope) })
  if (!next) return 0
  const isKept = await keepsSession(scope, next)
  await (isKept
    ? postponeSession(pool, { ...next, dueAt: new Date(now.getTime() + retryMs) })
    : finishSession(pool, next))
  // The next one has its turn after the interval.
  return 0
}

async function keepsSession(
  scope: Scope,
  { providerSessionId }: { providerSessionId: string },
): Promise<boolean> {
  try {
    await deleteAtProvider(scope, { test: false, providerSessionId })
    return false
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const message = 'The session of a verification that was deleted stays at the identity provider for now'
    scope.log.warn({ providerSessionId, reason: error.message }, message)
    return true
  }
}

export const addSessionDeletions = statement({
  name: 'add-session-deletions',
  text: `insert into session_deletion (provider_session_id, started_at, due_at)
   select session_id, started_at, :dueAt from unnest(:providerSessionIds, :startedAt) as s (session_id, started_at)
   limit greatest(0, :queueMax - (select count(*) from session_deletion))
   on conflict do nothing`,
  values: {
    providerSessionIds: arrayOf(text),
    startedAt: arrayOf(timestamp),
    dueAt: timestamp,
    queueMax: int,
  },
  row: {},
})

export const findNextSession = statement({
  name: 'find-next-session-deletion',
  text: `with expired as (delete from session_deletion where due_at <= :now and started_at < :retainedFrom)
   select provider_session_id as "providerSessionId" from session_deletion
   where due_at <= :now and started_at >= :retainedFrom order by due_at limit 1`,
  values: { now: timestamp, retainedFrom: timestamp },
  row: { providerSessionId: text },
})

export const postponeSession = statement({
  name: 'postpone-session-deletion',
  text: 'update session_deletion set due_at = :dueAt where provider_session_id = :providerSessionId',
  values: { providerSessionId: text, dueAt: timestamp },
  row: {},
})

export const finishSession = statement({
  name: 'finish-session-deletion',
  text: 'delete from session_deletion where provider_session_id = :providerSessionId',
  values: { providerSessionId: text },
  row: {},
})
