import { int, text, timestamp } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'

export interface StatementVersion {
  version: number
  /** Hexadecimal. */
  sha256: string
  /** It is in force from then on, until the next one is. */
  since: Date
}

/** Every version of the practice statement, the newest first. Throws `DATABASE_ERROR`. */
export async function listStatements({ pool }: Pick<Scope, 'pool'>): Promise<StatementVersion[]> {
  return await findStatements(pool, {})
}

/** A version as it was stored: the JSON that its SHA-256 is of. Throws `DATABASE_ERROR`. */
export async function getStatement(
  { pool }: Pick<Scope, 'pool'>,
  version: number,
): Promise<string | undefined> {
  const [found] = await findStatement(pool, { version })
  return found?.statement
}

export const findStatements = statement({
  name: 'find-practice-statements',
  text: `select version, sha256, published_at as since from practice_statement order by version desc`,
  values: {},
  row: { version: int, sha256: text, since: timestamp },
})

export const findStatement = statement({
  name: 'find-practice-statement',
  text: 'select statement from practice_statement where version = :version',
  values: { version: int },
  row: { statement: text },
})
