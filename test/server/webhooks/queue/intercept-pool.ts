import type { ClaimPool } from '#domain/webhook/claim-transaction.ts'

/** A prepared statement, or statements as text. */
type Statement = Parameters<ClaimPool['query']>[0] | string

/** The pool; `around` decides when each statement is sent, also those of its connections, and what it returns. */
export function interceptPool(
  pool: ClaimPool,
  around: (statement: Statement, send: () => Promise<unknown>) => Promise<unknown>,
): ClaimPool {
  return {
    query: (async statement => await around(statement, () => pool.query(statement))) as ClaimPool['query'],
    async connect() {
      const connection = await pool.connect()
      const query = (statement: never) => around(statement, () => connection.query(statement))
      return { query, release: isBroken => connection.release(isBroken) } as typeof connection
    },
  }
}

/** A pool that stops before or after each `commit` until `resume()`; `reached` resolves at the first of them. */
export function pauseAtCommit(pool: ClaimPool, moment: 'before' | 'after') {
  const reached = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  const pause = async () => {
    reached.resolve()
    await resumed.promise
  }
  const paused = interceptPool(pool, async (statement, send) => {
    if (statement === 'commit' && moment === 'before') await pause()
    const result = await send()
    if (statement === 'commit' && moment === 'after') await pause()
    return result
  })
  return { pool: paused, reached: reached.promise, resume: resumed.resolve }
}
