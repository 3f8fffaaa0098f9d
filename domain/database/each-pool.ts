import type { StatementPool } from './statement.ts'

/** Returns what belongs to a pool, such as its queue, and creates it for the first caller. It lives as long as the pool. */
export function eachPool<Value>(create: (pool: StatementPool) => Value): (pool: StatementPool) => Value {
  const values = new WeakMap<StatementPool, Value>()
  return pool => {
    const value = values.get(pool) ?? create(pool)
    values.set(pool, value)
    return value
  }
}
