import { toDatabaseError } from '../database/database-error.ts'
import type { StatementPool } from '../database/statement.ts'

export interface ClaimConnection extends StatementPool {
  query(statement: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>
  query(statements: string): Promise<unknown>
  /** Returns it to its pool, or closes it. */
  release(broken?: boolean): void
}

/** A pool whose connections can be checked out. It handles their `error` events, as MikroORM's pool does. */
export interface ClaimPool extends StatementPool {
  connect(): Promise<ClaimConnection>
}

/** A worker that freezes in a claim loses its locks after 1 s. The plans look up one row after the other. */
const begin = `begin;
  set local lock_timeout = '2s';
  set local statement_timeout = '5s';
  set local idle_in_transaction_session_timeout = '1s';
  set local enable_bitmapscan = off`

/** Runs the statements of a claim in one transaction. Throws `DATABASE_ERROR`. */
export async function claimTransaction<Result>(
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
