import type { StatementPool } from '#domain/database/statement.ts'

type Query = StatementPool['query']
type Statement = Parameters<Query>[0]

/** The pool; `around` decides when each statement is sent, and what it returns. */
export function interceptPool(
  pool: StatementPool,
  around: (statement: Statement, send: () => ReturnType<Query>) => ReturnType<Query>,
): StatementPool {
  return { query: statement => around(statement, () => pool.query(statement)) }
}

/** A pool that keeps the result of each claim until `resume()`; `reached` resolves when the first has committed. */
export function pauseAfterClaim(pool: StatementPool) {
  const reached = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  const paused = interceptPool(pool, async ({ name }, send) => {
    const result = await send()
    if (name !== 'claim-deliveries') return result
    reached.resolve()
    await resumed.promise
    return result
  })
  return { pool: paused, reached: reached.promise, resume: resumed.resolve }
}
