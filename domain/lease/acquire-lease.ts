import { boolean, text, timestamp, uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'

export interface LeaseRequest {
  name: string
  owner: string
  durationMs: number
}

export interface LeaseStatus {
  isOwn: boolean
  /** When it expires, unless its owner renews it. */
  expiresAt: Date
}

/** Acquires the lease, or renews it for its owner, unless another worker owns it. Throws `DATABASE_ERROR`. */
export async function acquireLease(
  pool: StatementPool,
  { name, owner, durationMs }: LeaseRequest,
  now: Date,
): Promise<LeaseStatus> {
  const expiresAt = new Date(now.getTime() + durationMs)
  const [status] = await takeLease(pool, { name, owner, now, expiresAt })
  // No row: another worker has created the lease since the statement began.
  return status ?? { isOwn: false, expiresAt }
}

/** Ends the leases of a worker that stops, so that others needn't wait until they expire. Throws `DATABASE_ERROR`. */
export async function releaseLeases(pool: StatementPool, owner: string): Promise<void> {
  await deleteLeases(pool, { owner })
}

/**
 * Reads before it writes, so that workers that don't get it leave the row unlocked. A lease that expires later than any
 * that can be given now is from before the clock was set back; it counts as expired too.
 */
export const takeLease = statement({
  name: 'acquire-lease',
  text: `with known as (
     select name, owner, expires_at, owner = :owner or expires_at <= :now or expires_at > :expiresAt as is_free
     from lease where name = :name
   ), taken as (
     insert into lease as l (name, owner, expires_at)
     select :name, :owner, :expiresAt where not exists (select from known where not is_free)
     on conflict (name) do update set owner = excluded.owner, expires_at = excluded.expires_at
     where l.owner = :owner or l.expires_at <= :now or l.expires_at > :expiresAt
     returning true as is_own, expires_at
   )
   select is_own as "isOwn", expires_at as "expiresAt" from taken
   union all
   select false, expires_at from known where not is_free`,
  values: { name: text, owner: uuid, now: timestamp, expiresAt: timestamp },
  row: { isOwn: boolean, expiresAt: timestamp },
})

export const deleteLeases = statement({
  name: 'release-leases',
  text: 'delete from lease where owner = :owner',
  values: { owner: uuid },
  row: {},
})
