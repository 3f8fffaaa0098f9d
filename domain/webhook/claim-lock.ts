import { toDatabaseError } from '../database/database-error.ts'
import type { StatementPool } from '../database/statement.ts'

export interface ClaimConnection extends StatementPool {
  query(statement: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>
  query(statements: string): Promise<unknown>
  /** Gives it back to its pool, or has the pool close it. */
  release(broken?: boolean): void
}

/** A pool that also lends connections. It listens to their errors, as MikroORM's does. */
export interface ClaimPool extends StatementPool {
  connect(): Promise<ClaimConnection>
}

/** Names the lock among all advisory locks of the database; any constant does. */
const claimLock = 7_201_919

/**
 * The lock is taken in a statement before the claim's own, so that the claim sees what the one before it took.
 * A worker that is frozen in its turn loses it after 1 s, and one that waits in vain gives up.
 * The claim's plan is held to the indexes, whatever size the table had when it was made; to make it anew each
 * time would cost as much as the claim itself.
 */
const begin = `begin;
  set local lock_timeout = '2s';
  set local statement_timeout = '5s';
  set local idle_in_transaction_session_timeout = '1s';
  set local enable_seqscan = off;
  set local enable_bitmapscan = off;
  set local jit = off;
  set local plan_cache_mode = force_generic_plan;
  select pg_advisory_xact_lock(${claimLock})`

/**
 * Does the work in a transaction that no other claim of any process overlaps: only so a bound that is counted
 * in the table holds exactly. Throws `DATABASE_ERROR`.
 */
export async function withClaimLock<Result>(
  pool: ClaimPool,
  work: (connection: StatementPool) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect().catch(error => {
    throw toDatabaseError(error)
  })
  let isWhole = false
  try {
    await connection.query(begin)
    const result = await work(connection)
    await connection.query('commit')
    isWhole = true
    return result
  } catch (error) {
    throw toDatabaseError(error)
  } finally {
    // Closing a connection whose transaction failed also ends the transaction.
    connection.release(!isWhole)
  }
}
