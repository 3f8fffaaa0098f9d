import type { ServerClient } from '#domain/postgres/index.ts'
import { Fault } from './check.ts'

export interface PoolerOptions {
  /** Opens another connection. */
  connect: () => Promise<ServerClient>
  /** Whether the connections are for LISTEN and migrations, which need the same server all the time. */
  needsSession: boolean
}

/** Two connections that use the same servers in turns have shown it after the first round, unless others interfere. */
const roundsMax = 20

/**
 * Says how a connection pooler, such as PgBouncer, is in front of the server. Throws a `Fault` if it gives transactions
 * of one connection to different servers, and either doesn't carry prepared statements along, or the connections need a
 * session: statements would fail at random, and notifications be lost.
 */
export async function describePooler(
  one: ServerClient,
  { connect, needsSession }: PoolerOptions,
): Promise<string> {
  const pid = await probe(one, 1)
  // The key for cancelling a statement names the server's process, unless a pooler has sent its own.
  if ((one as unknown as { processID: number }).processID === pid) return 'no connection pooler'
  const two = await connect().catch(() => {
    throw new Fault('the connection pooler gives no second connection: raise its default_pool_size')
  })
  if (!(await sharesServers(one, two))) return 'a connection pooler in session mode'
  if (!needsSession) return 'a connection pooler in transaction mode'
  throw new Fault(
    'the connection pooler is in transaction mode, and LISTEN and migrations need a session: set DATABASE_DIRECT_URL to a URL that leads past it',
  )
}

/** Whether two connections run on the same server processes, or on several. */
async function sharesServers(one: ServerClient, two: ServerClient): Promise<boolean> {
  const pairs = new Set<string>()
  for (let round = 0; round < roundsMax; round++) {
    const [first, second] = [await probe(one, 1), await probe(two, 2)]
    pairs.add(`${first} ${second}`)
    if (first === second || pairs.size > 1) return true
  }
  return false
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
  throw new Fault(
    'the connection pooler is in transaction mode without prepared statements: use PgBouncer 1.21 or newer with max_prepared_statements above 0, or pool_mode = session',
  )
}
