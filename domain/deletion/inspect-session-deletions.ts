import { int, nullable, textOf, timestamp, uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import { dayMs } from '../usage/usage-period.ts'
import { recentDeletions } from './delete-queued-session.ts'
import type { SessionRejection } from './session-deletion.entity.ts'

/** The queue of the sessions that the provider has to delete, and the place in it of one verification's. */
export async function inspectSessionDeletions(
  pool: StatementPool,
  { now, verificationId = null }: { now: Date; verificationId?: string | null },
) {
  const dayAgo = new Date(now.getTime() - dayMs)
  const [found] = await inspectDeletions(pool, { dayAgo, verificationId })
  return found!
}

// The places are those of the turns: a tenant's next one comes after one of each that has had as few.
export const inspectDeletions = statement({
  name: 'inspect-session-deletions',
  text: `with ${recentDeletions(':dayAgo')}, turns as (
     select d.verification_id, d.queued_at, coalesce(r.taken, 0) + row_number() over tenants as turn
     from session_deletion d left join recent r using (tenant_id) where d.provider_session_id is not null
     window tenants as (partition by tenant_id order by d.queued_at, d.verification_id)
   ), waiting as (
     select verification_id, queued_at, row_number() over (order by turn, queued_at, verification_id) as place from turns
   ), asked as (
     select rejection, asked_at from session_deletion where asked_at is not null order by asked_at desc limit 1
   )
   select count(*)::int as waiting, min(queued_at) as "oldestQueuedAt",
     (min(place) filter (where verification_id = :verificationId))::int as place,
     (select rejection from asked) as rejection, (select asked_at from asked) as "askedAt"
   from waiting`,
  values: { dayAgo: timestamp, verificationId: nullable(uuid) },
  row: {
    waiting: int,
    oldestQueuedAt: nullable(timestamp),
    place: nullable(int),
    /** Why the provider kept the one that it was asked for last; null if it answered for it. */
    rejection: nullable(textOf<SessionRejection>()),
    askedAt: nullable(timestamp),
  },
})
