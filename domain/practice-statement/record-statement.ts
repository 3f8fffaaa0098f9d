import { createHash } from 'node:crypto'
import { int, text, timestamp } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'

/**
 * Makes a statement the newest version, unless it is already. Returns its version. Processes may do this at the same time:
 * each adds a version only after the one that it has compared its own with. Throws `DATABASE_ERROR`.
 */
export async function recordStatement(
  { pool, now }: Pick<Scope, 'pool' | 'now'>,
  json: string,
): Promise<number> {
  const sha256 = createHash('sha256').update(json).digest('hex')
  for (;;) {
    const [newest] = await findNewestStatement(pool, {})
    if (newest?.sha256 === sha256) return newest.version
    const version = (newest?.version ?? 0) + 1
    const since = later(now, newest?.since)
    const added = await addStatement(pool, { version, since, sha256, statement: json })
    if (added.length > 0) return version
  }
}

/** The clock of another process may be ahead. */
function later(now: Date, previous: Date | undefined): Date {
  return previous && previous > now ? previous : now
}

export const findNewestStatement = statement({
  name: 'find-newest-practice-statement',
  text: `select version, sha256, published_at as since from practice_statement order by version desc limit 1`,
  values: {},
  row: { version: int, sha256: text, since: timestamp },
})

export const addStatement = statement({
  name: 'add-practice-statement',
  // Of processes that add the same version, one does, and the others compare again.
  text: `insert into practice_statement (version, published_at, sha256, statement)
   values (:version, :since, :sha256, :statement) on conflict do nothing returning version`,
  values: { version: int, since: timestamp, sha256: text, statement: text },
  row: { version: int },
})
