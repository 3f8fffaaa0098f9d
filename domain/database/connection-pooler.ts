import { setTimeout as wait } from 'node:timers/promises'

/** A connection pooler, such as PgBouncer, that the service can't work with. One line that names what to do. */
export class PoolerError extends Error {
  override name = 'PoolerError'
}

/** A connection of `pg`. */
interface Connection {
  query(statement: { name: string; text: string }): Promise<{ rows: unknown[] }>
  release(isBroken?: boolean): void
}

export interface PoolerRequirements {
  /** Whether the connections are for LISTEN or for migrations, which need the same server all the time. */
  needsSession: boolean
}

/** Two connections that use the same servers in turns have shown it after the first round, unless others interfere. */
const roundsMax = 20
const answerMsMax = 5_000

/**
 * Throws a `PoolerError` if a connection pooler gives transactions of one connection to different servers, and either
 * doesn't carry prepared statements along, or the connections need a session. Without it, statements would fail at
 * random.
 */
export async function assertPoolerUsable(
  pool: { connect(): Promise<unknown> },
  { needsSession }: PoolerRequirements,
): Promise<void> {
  const one = (await pool.connect()) as Connection
  try {
    const { pid } = await probe(one, 1)
    // The key for cancelling a statement names the server's process, unless a pooler has sent its own.
    if ((one as unknown as { processID: number }).processID === pid) return
    const two = (await inTime(pool.connect())) as Connection
    try {
      if (!(await sharesServers(one, two, pid))) return
    } finally {
      two.release(true)
    }
  } finally {
    one.release(true)
  }
  if (!needsSession) return
  throw new PoolerError(
    'DATABASE_DIRECT_URL must be set, without a connection pooler in transaction mode: LISTEN and migrations need a session, which the pooler of DATABASE_URL does not keep',
  )
}

/** Whether two connections run on the same server processes. Throws a `PoolerError` if prepared statements fail then. */
async function sharesServers(one: Connection, two: Connection, firstPid: number): Promise<boolean> {
  const seen = { one: new Set([firstPid]), two: new Set<number>() }
  for (let round = 0; round < roundsMax; round++) {
    seen.two.add((await probe(two, 2)).pid)
    seen.one.add((await probe(one, 1)).pid)
  }
  return seen.one.size > 1 || seen.two.size > 1 || [...seen.one].some(pid => seen.two.has(pid))
}

const duplicateStatement = '42P05'
const unknownStatement = '26000'

/** Runs a statement that both connections prepare under the same name, each with its own text. */
async function probe(connection: Connection, number: number): Promise<{ pid: number }> {
  const text = `select pg_backend_pid() as pid, ${number} as number`
  try {
    const { rows } = await inTime(connection.query({ name: 'pooler_probe', text }))
    const [row] = rows as [{ pid: number; number: number }]
    if (row.number === number) return row
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== duplicateStatement && code !== unknownStatement) throw error
  }
  throw new PoolerError(
    'DATABASE_URL: the connection pooler is in transaction mode without prepared statements: use PgBouncer 1.21 or newer with max_prepared_statements above 0, or pool_mode = session',
  )
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const timer = new AbortController()
  work.catch(() => undefined)
  const timeout = wait(answerMsMax, undefined, { signal: timer.signal }).then(() => {
    throw new PoolerError(
      'DATABASE_URL: the connection pooler gives this process no two connections: raise its default_pool_size',
    )
  })
  timeout.catch(() => undefined)
  try {
    return await Promise.race([work, timeout])
  } finally {
    timer.abort()
  }
}
