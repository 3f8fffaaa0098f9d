import { timestamp } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { DomainError } from '../errors.ts'
import { type Scope, scopeAt } from '../scope.ts'

export const clockDifferenceMsMax = 5 * 60_000

/**
 * The scope at the earlier of this process's and PostgreSQL's time, for what can't be undone. Throws `INTERNAL_ERROR` while they
 * differ by more than five minutes, and `DATABASE_ERROR`.
 */
export async function atEarlierClock(scope: Scope): Promise<Scope> {
  const [row] = await readClock(scope.pool, {})
  const [own, server] = [scope.clock(), row!.now]
  if (Math.abs(own.getTime() - server.getTime()) > clockDifferenceMsMax) {
    const cause = `nothing is deleted: it is ${own.toISOString()} here, ${server.toISOString()} in PostgreSQL`
    throw new DomainError('INTERNAL_ERROR', { cause })
  }
  return scopeAt(scope, own < server ? own : server)
}

export const readClock = statement({
  name: 'read-clock',
  text: 'select clock_timestamp() as now',
  values: {},
  row: { now: timestamp },
})
