import { randomBytes } from 'node:crypto'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { serverAccount } from '#development/postgres/account.ts'
import { findBinaries } from '#development/postgres/start-postgres.ts'
import { applyMigrations } from '#domain/schema/apply-migrations.ts'
import { freePort } from '#server/http/free-port.ts'
import { audience, type SignInProvider, startSignInProvider } from '#test/console-api/sign-in-provider.ts'
import { type Cache, type CacheKind, openCache } from './engines/cache.ts'
import { PostgresPair } from './engines/postgres-pair.ts'
import { PostgresServer } from './engines/postgres-server.ts'
import { TcpProxy } from './engines/tcp-proxy.ts'
import { openVolume } from './engines/volume.ts'
import type { Random } from './random.ts'
import { environmentOf, newSecrets } from './service/environment.ts'
import { type ServiceNetwork, ServiceProcess, type ServiceRole } from './service/service-process.ts'
import { type Provider, startProvider } from './surroundings/provider.ts'
import { type Receivers, startReceivers } from './surroundings/receivers.ts'

export const topologies = ['proxy', 'hosts'] as const
/** How processes find the primary: by a proxy that follows it, or with a list of both servers. */
export type Topology = (typeof topologies)[number]

export interface SystemOptions {
  /** For data and logs. */
  folder: string
  /** The roles of the service's processes. */
  roles: readonly ServiceRole[]
  cache: CacheKind
  topology: Topology
  random: Random
  /** The data folder of an empty cluster to copy, and its superuser's password; otherwise `initdb` makes one. */
  prepared?: { cluster: string; password: string }
  onUnexpectedExit: (line: string) => void
}

/** The service with everything that it needs, all on loopback. */
export interface System {
  database: PostgresPair
  cache: Cache
  provider: Provider
  receivers: Receivers
  signIn: SignInProvider
  processes: ServiceProcess[]
  apis: ServiceProcess[]
  workers: ServiceProcess[]
  /** For the operator's command line: connections that no fault reaches. */
  operatorEnv: Record<string, string>
  close(): Promise<void>
}

export const databaseName = 'verification'
/** Not a superuser, so that it can use up the connections for others than superusers only. */
export const databaseUser = 'service'

/** Starts everything but the service's processes and the standby. */
export async function openSystem(options: SystemOptions): Promise<System> {
  const closing = new AsyncDisposableStack()
  try {
    const { folder, random, roles, cache, topology } = options
    await chmod(folder, 0o711)
    const database = await openDatabase(options)
    closing.defer(() => database.close())
    const redis = await openCache(cache)
    closing.defer(() => redis.close())
    const processes: ServiceProcess[] = []
    const balancer = await openBalancer(processes)
    closing.defer(() => balancer.close())
    const secrets = newSecrets()
    const baseUrl = `http://127.0.0.1:${balancer.port}`
    const provider = await startProvider(secrets, `${baseUrl}/verify/callback`)
    closing.defer(() => provider.close())
    const receivers = await startReceivers(random)
    closing.defer(() => receivers.close())
    const signIn = await startSignInProvider(() => new Date())
    closing.defer(() => signIn.close())
    const networks: ServiceNetwork[] = []
    const network = async () => {
      const opened = await openNetwork(database, topology, redis.port)
      closing.defer(() => closeNetwork(opened))
      networks.push(opened)
      return opened
    }
    const envFor = (network: ServiceNetwork) =>
      environmentOf({
        secrets,
        baseUrl,
        veriffUrl: provider.url,
        issuer: signIn.issuer,
        audience,
        database: databaseVariables(network.database),
        cache: redis.env(network.cache[0]!.port),
      })
    for (const [index, role] of roles.entries()) {
      const name = `${role}-${index}`
      const own = await network()
      const port = await freePort()
      const ports = role === 'worker' ? { METRICS_PORT: String(port) } : { PORT: String(port) }
      const env = { ...envFor(own), ...ports, ROLE: role, DATA_DIR: join(folder, 'data') }
      const logFile = join(folder, `${name}.log`)
      const { onUnexpectedExit } = options
      processes.push(new ServiceProcess({ name, role, port, env, folder, logFile, onUnexpectedExit }, own))
    }
    closing.defer(async () => void (await Promise.all(processes.map(one => one.stop('SIGKILL')))))
    const operatorNetwork = await network()
    // As HAProxy does with `on-marked-down shutdown-sessions`; a driver with a list of hosts notices it by itself.
    database.onPromoted = () => {
      if (topology === 'hosts') return
      for (const { database } of networks) for (const proxy of database) proxy.resetConnections()
    }
    const close = closing.move()
    return {
      database,
      cache: redis,
      provider,
      receivers,
      signIn,
      processes,
      apis: processes.filter(({ options }) => options.role !== 'worker'),
      workers: processes.filter(({ options }) => options.role !== 'api'),
      operatorEnv: envFor(operatorNetwork),
      close: () => close.disposeAsync(),
    }
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}

async function openNetwork(
  database: PostgresPair,
  topology: Topology,
  cachePort: number,
): Promise<ServiceNetwork> {
  const servers = [database.primary, database.standby]
  const targets =
    topology === 'proxy'
      ? [() => database.primary.options.port]
      : servers.map(
          ({ options }) =>
            () =>
              options.port,
        )
  return {
    database: await Promise.all(targets.map(target => TcpProxy.open({ target }))),
    cache: [await TcpProxy.open({ target: () => cachePort })],
  }
}

async function closeNetwork({ database, cache }: ServiceNetwork): Promise<void> {
  await Promise.all([...database, ...cache].map(proxy => proxy.close()))
}

function databaseVariables(proxies: TcpProxy[]): Record<string, string> {
  const hosts = proxies.map(({ port }) => `127.0.0.1:${port}`).join(',')
  return { DATABASE_URL: `postgresql://${databaseUser}:${databaseUser}@${hosts}/${databaseName}` }
}

async function openDatabase({ folder, prepared }: SystemOptions): Promise<PostgresPair> {
  const { postgres: program } = await findBinaries()
  const account = await serverAccount()
  const password = prepared?.password ?? randomBytes(12).toString('hex')
  const server = async (name: string) => {
    const volume = await openVolume(join(folder, `postgres-${name}`))
    const port = await freePort()
    const logFile = join(folder, `postgres-${name}.log`)
    return new PostgresServer({ name, program, account, volume, port, password, logFile })
  }
  const pair = await PostgresPair.open([await server('a'), await server('b')], prepared?.cluster)
  const { primary } = pair
  // Hashes passwords once instead of 4,096 times for each connection.
  await primary.query(`set scram_iterations = 1; alter role postgres password '${password}'`)
  await primary.query(
    `set scram_iterations = 1; create role ${databaseUser} login password '${databaseUser}'`,
  )
  await primary.query(`create database ${databaseName} owner ${databaseUser}`)
  const url = new URL(primary.urlOf(databaseName))
  url.username = databaseUser
  url.password = databaseUser
  await applyMigrations({ url: url.href })
  return pair
}

/** Distributes the provider's callbacks over the API processes that run. */
async function openBalancer(processes: ServiceProcess[]): Promise<TcpProxy> {
  let next = 0
  return await TcpProxy.open({
    target: () => {
      const running = processes.filter(({ options, isRunning }) => options.role !== 'worker' && isRunning)
      next += 1
      return running[next % Math.max(1, running.length)]?.options.port
    },
  })
}
