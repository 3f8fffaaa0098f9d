import { toDatabaseError } from './database-error.ts'

/** The part of a `pg` pool that the hot statements use. */
export interface StatementPool {
  query(statement: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>
}

/**
 * A named statement, prepared once per connection: the form that costs no more than bare `pg`.
 * Times travel as milliseconds, because MikroORM's pool hands timestamps over as text.
 * Throws `DATABASE_ERROR`.
 */
export function statement<Row>(name: string, text: string) {
  return async (pool: StatementPool, values: unknown[]): Promise<Row[]> => {
    try {
      const { rows } = await pool.query({ name, text, values })
      return rows as Row[]
    } catch (error) {
      throw toDatabaseError(error)
    }
  }
}
