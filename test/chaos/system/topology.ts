import { startHaproxy } from '../../harness/engines/haproxy.ts'
import type { PostgresPair } from '../../harness/engines/postgres-pair.ts'
import { TcpProxy } from '../../harness/engines/tcp-proxy.ts'

/** How one process reaches PostgreSQL. */
export interface DatabaseRoute {
  /** The networks between the process and what it connects to. */
  proxies: TcpProxy[]
  /** The variables that name it. */
  env: Record<string, string>
}

export type OpenRoute = () => Promise<DatabaseRoute>

interface Setup {
  database: PostgresPair
  closing: AsyncDisposableStack
}

/** Each prepares what all processes share, and returns the port that they connect to. */
const routes = {
  /** It follows the primary, and ends the connections to the previous one. */
  async haproxy({ database, closing }: Setup): Promise<TcpProxy['target']> {
    const port = await startHaproxy(database.servers, closing)
    return () => port
  },
  /** An address moves, as that of a DNS record does: existing connections stay where they are. */
  async address({ database }: Setup): Promise<TcpProxy['target']> {
    return () => (database.addressed ?? database.primary).options.network.port
  },
}

/** How processes find the primary. */
export type Topology = keyof typeof routes
export const topologies = Object.keys(routes) as Topology[]

export const databaseName = 'verification'
/** Not a superuser, so that it can use up the connections for others than superusers only. */
export const databaseUser = 'service'

export function databaseUrl(host: string): string {
  return `postgresql://${databaseUser}:${databaseUser}@${host}/${databaseName}`
}

/** Prepares a topology. Returns a function that opens the route of one process. */
export async function openTopology(topology: Topology, setup: Setup): Promise<OpenRoute> {
  const target = await routes[topology](setup)
  return async () => {
    const proxy = await TcpProxy.open(target)
    setup.closing.defer(() => proxy.close())
    return { proxies: [proxy], env: { DATABASE_URL: databaseUrl(`127.0.0.1:${proxy.port}`) } }
  }
}
