import type { Pool, PoolClient } from 'pg'
import { tryLockHash } from '#domain/database/advisory-locks.ts'

/** Runs the work of a task, unless another process is at it: then the result is undefined. */
export type TaskLock = <Result>(task: string, work: () => Promise<Result>) => Promise<Result | undefined>

/**
 * Locks a task while it runs, by an advisory lock of a transaction. It saves work; nothing depends on it. The transaction is
 * idle meanwhile: it has no snapshot, so it keeps no dead rows. One task of the process has its turn at a time, so that no
 * more than one connection of the pool is taken.
 */
export function createTaskLock(pool: Pool): TaskLock {
  let turns: Promise<unknown> = Promise.resolve()
  return (task, work) => {
    const turn = turns.then(() => runLocked(pool, task, work))
    turns = turn.catch(() => undefined)
    return turn
  }
}

async function runLocked<Result>(
  pool: Pool,
  task: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const client: PoolClient = await pool.connect()
  let failure: Error | undefined
  try {
    await client.query('begin')
    const [lock] = await tryLockHash(client, { hashed: `task:${task}` })
    return lock?.isOwn ? await work() : undefined
  } finally {
    await client.query('rollback').catch((error: Error) => {
      failure = error
    })
    client.release(failure)
  }
}
