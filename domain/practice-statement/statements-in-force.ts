import { int, text, timestamp } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'

export interface StatementInForce {
  version: number
  /** Hexadecimal. */
  sha256: string
  since: Date
}

/**
 * The versions of the practice statement that were in force at any time from `from` until before `to`, oldest first. Of
 * these, the first may be in force since before `from`. Throws `DATABASE_ERROR`.
 */
export async function statementsInForce(
  { pool }: Pick<Scope, 'pool'>,
  from: Date,
  to: Date,
): Promise<StatementInForce[]> {
  return await findStatementsInForce(pool, { from, to })
}

export const findStatementsInForce = statement({
  name: 'find-practice-statements-in-force',
  text: `select version, sha256, since
   from (
     select version, sha256, published_at as since, lead(published_at) over (order by version) as until
     from practice_statement
   ) s
   where since < :to and (until is null or until > :from) order by version`,
  values: { from: timestamp, to: timestamp },
  row: { version: int, sha256: text, since: timestamp },
})
