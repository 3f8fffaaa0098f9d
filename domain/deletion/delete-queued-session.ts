import { boolean, int, text, textOf, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { newId } from '../ids.ts'
import { DeletionRejected, ProviderUnavailable } from '../ports.ts'
import type { Scope } from '../scope.ts'
import { dayMs } from '../usage/usage-period.ts'
import type { SessionAnswer, SessionRejection } from './session-deletion.entity.ts'

/** What the provider deletes within 24 hours, for all tenants together. */
const deletionsPerDay = 10

/** Longer than two calls to each of two integrations take, at 10 s. */
const leaseMs = 60_000
/** After a rejection. It is at least what a `Retry-After` is taken for. */
const retryMs = 60 * 60_000

/**
 * Asks the provider to delete the session that is next, and records its answer in the tenant's audit log. What it keeps remains
 * in the queue. Returns how many it asked for: none while the day's deletions are used up, or the provider refuses any.
 */
export async function deleteQueuedSession(scope: Scope): Promise<number> {
  const { pool, provider, clock, now, log } = scope
  if (!provider) return 0
  const leaseUntil = new Date(now.getTime() + leaseMs)
  const dayAgo = new Date(now.getTime() - dayMs)
  const [queued] = await claimSession(pool, { now, dayAgo, leaseUntil, perDay: deletionsPerDay })
  if (!queued) return 0
  const { verificationId, providerSessionId, wasAsked } = queued
  const answer = await provider.deleteSession(providerSessionId).catch(readRejection)
  if (answer === 'deleted' || answer === 'unknown') {
    // A session that is gone was deleted by an earlier call, whose answer was lost.
    const session = wasAsked ? 'deleted' : answer
    await recordAnswer(pool, { verificationId, session, now: clock(), eventId: newId(clock()) })
    log.info({ verificationId, session }, 'The provider answered for the session of an erased verification')
  } else {
    const dueAt = new Date(clock().getTime() + retryMs)
    await postponeDeletion(pool, { verificationId, rejection: answer, dueAt })
    log.warn({ verificationId, reason: answer }, 'The provider keeps the session of an erased verification')
  }
  return 1
}

function readRejection(error: unknown): SessionRejection {
  if (error instanceof DeletionRejected) return error.rejection
  if (error instanceof ProviderUnavailable) return 'unavailable'
  throw error
}

/** The tenants' deletions of the last day, in SQL: `session_deletion d left join recent r` has them. */
export const recentDeletions = (dayAgo: string) => `recent as materialized (
     select tenant_id, count(*) as taken from session_deletion
     where provider_session_id is null and asked_at > ${dayAgo} group by tenant_id
   )`

// Whoever has had fewer is first. A tenant gets no more than it leaves for the others, unless there are none. What is refused for
// another reason than the session itself is refused for all.
export const claimSession = statement({
  name: 'claim-session-deletion',
  text: `with ${recentDeletions(':dayAgo')}, answered as (
     delete from session_deletion where provider_session_id is null and asked_at <= :dayAgo
   ), unused as (
     select :perDay - coalesce(sum(taken), 0) as count from recent
   ), next as (
     select d.verification_id, d.asked_at is not null and coalesce(d.rejection, 'unavailable') = 'unavailable' as was_asked
     from session_deletion d left join recent r using (tenant_id) cross join unused
     where d.provider_session_id is not null and d.due_at <= :now and unused.count > 0
       and (coalesce(r.taken, 0) < unused.count
         or not exists (select from tenant t where t.id <> d.tenant_id and not t.test))
       and not exists (select from session_deletion where due_at > :now and rejection <> 'in_progress')
     order by coalesce(r.taken, 0), d.queued_at, d.verification_id limit 1 for update of d skip locked
   )
   update session_deletion d set asked_at = :now, due_at = :leaseUntil, rejection = null
   from next where d.verification_id = next.verification_id
   returning d.verification_id as "verificationId", d.provider_session_id as "providerSessionId",
     next.was_asked as "wasAsked"`,
  values: { now: timestamp, dayAgo: timestamp, leaseUntil: timestamp, perDay: int },
  row: { verificationId: uuid, providerSessionId: text, wasAsked: boolean },
})

// Of a tenant that was deleted, there is no log.
export const recordAnswer = statement({
  name: 'record-session-deletion',
  text: `with answered as (
     update session_deletion set provider_session_id = null, asked_at = :now
     where verification_id = :verificationId and provider_session_id is not null returning tenant_id, verification_id
   )
   insert into audit_event (tenant_id, id, at, actor_kind, action, target, changes)
   select a.tenant_id, :eventId, :now, 'service', 'verification.delete_session', a.verification_id,
     jsonb_build_object('session', :session)
   from answered a join tenant t on t.id = a.tenant_id`,
  values: { verificationId: uuid, session: textOf<SessionAnswer>(), now: timestamp, eventId: uuid },
  row: {},
})

export const postponeDeletion = statement({
  name: 'postpone-session-deletion',
  text: `update session_deletion set rejection = :rejection, due_at = :dueAt
   where verification_id = :verificationId and provider_session_id is not null`,
  values: { verificationId: uuid, rejection: textOf<SessionRejection>(), dueAt: timestamp },
  row: {},
})
