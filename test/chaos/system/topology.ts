import { startHaproxy } from '../../harness/engines/haproxy.ts'
import { documentedSettings, startPgbouncer } from '../../harness/engines/pgbouncer.ts'
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
  /** Opens a network, which is closed with the rest. */
  open(target: number | (() => number)): Promise<TcpProxy>
}

/** Each prepares what all processes share, and returns what opens the route of one. */
const routes = {
  /** An address moves, as that of a DNS record does: existing connections stay where they are. */
  async address({ database, open }: Setup): Promise<OpenRoute> {
    const target = () => (database.addressed ?? database.primary).options.network.port
    return async () => routeTo(await open(target))
  },
  async haproxy({ database, closing, open }: Setup): Promise<OpenRoute> {
    const port = await startHaproxy(database.servers, closing)
    return async () => routeTo(await open(port))
  },
  /** In transaction mode, in front of HAProxy. */
  async pgbouncer({ database, closing, open }: Setup): Promise<OpenRoute> {
    const port = await startHaproxy(database.servers, closing)
    const pooler = await startPooler(port, closing)
    return async () => {
      const [pooled, direct] = [await open(pooler), await open(port)]
      const { env } = routeTo(pooled)
      // For migrations and LISTEN, which need a session.
      const directUrl = { DATABASE_DIRECT_URL: databaseUrl(`127.0.0.1:${direct.port}`) }
      return { proxies: [pooled, direct], env: { ...env, ...directUrl } }
    }
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
export async function openTopology(topology: Topology, options: Omit<Setup, 'open'>): Promise<OpenRoute> {
  return await routes[topology]({
    ...options,
    async open(target) {
      const proxy = await TcpProxy.open(target)
      options.closing.defer(() => proxy.close())
      return proxy
    },
  })
}

function routeTo(proxy: TcpProxy): DatabaseRoute {
  return { proxies: [proxy], env: { DATABASE_URL: databaseUrl(`127.0.0.1:${proxy.port}`) } }
}

/** Starts PgBouncer in front of a server. Returns its port. */
async function startPooler(port: number, closing: AsyncDisposableStack): Promise<number> {
  const settings = [documentedSettings, 'default_pool_size = 60']
  const url = databaseUrl(`127.0.0.1:${port}`)
  const pooler = await startPgbouncer({ url, mode: 'transaction', settings })
  closing.defer(() => pooler.close())
  return Number(new URL(pooler.url).port)
}
