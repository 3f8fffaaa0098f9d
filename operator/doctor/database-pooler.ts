import type { ServerClient } from './server-client.ts'

/** A connection pooler, such as PgBouncer, that the service can't work with. One line that names what to do. */
export class PoolerError extends Error {
  override name = 'PoolerError'
}

export interface PoolerRequirements {
  /** Whether the connections are for LISTEN or for migrations, which need the same server all the time. */
  needsSession: boolean
  /** Opens another connection. */
  connect: () => Promise<ServerClient>
}

/** Two connections that use the same servers in turns have shown it after the first round, unless others interfere. */
const roundsMax = 20

/**
 * Throws a `PoolerError` if a connection pooler gives transactions of one connection to different servers, and either
 * doesn't carry prepared statements along, or the connections need a session. Without it, statements would fail at
 * random.
 */
export async function assertPoolerUsable(
  one: ServerClient,
  { needsSession, connect }: PoolerRequirements,
): Promise<void> {
  const pid = await probe(one, 1)
  // The key for cancelling a statement names the server's process, unless a pooler has sent its own.
  if ((one as unknown as { processID: number }).processID === pid) return
  const two = await connect().catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ETIMEDOUT' ? tooFewConnections() : error
  })
  try {
    if (!(await sharesServers(one, two, pid)) || !needsSession) return
  } finally {
    await two.close()
  }
  throw new PoolerError(
    'DATABASE_DIRECT_URL must be set, without a connection pooler in transaction mode: LISTEN and migrations need a session, which the pooler of DATABASE_URL does not keep',
  )
}

/** Whether two connections run on the same server processes. Throws a `PoolerError` if prepared statements fail then. */
async function sharesServers(one: ServerClient, two: ServerClient, firstPid: number): Promise<boolean> {
  const seen = { one: new Set([firstPid]), two: new Set<number>() }
  for (let round = 0; round < roundsMax; round++) {
    seen.two.add(await probe(two, 2))
    seen.one.add(await probe(one, 1))
  }
  return seen.one.size > 1 || seen.two.size > 1 || seen.two.has(firstPid)
}

const duplicateStatement = '42P05'
const unknownStatement = '26000'

/** Runs a statement that both connections prepare under the same name, each with its own text. Returns the server's process. */
async function probe(client: ServerClient, number: number): Promise<number> {
  const text = `select pg_backend_pid() as pid, ${number} as number`
  try {
    const { rows } = await client.query<{ pid: number; number: number }>({ name: 'pooler_probe', text })
    if (rows[0]!.number === number) return rows[0]!.pid
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== duplicateStatement && code !== unknownStatement) throw error
  }
  throw new PoolerError(
    'DATABASE_URL: the connection pooler is in transaction mode without prepared statements: use PgBouncer 1.21 or newer with max_prepared_statements above 0, or pool_mode = session',
  )
}

function tooFewConnections(): PoolerError {
  return new PoolerError(
    'DATABASE_URL: the connection pooler gives this process no two connections: raise its default_pool_size',
  )
}
