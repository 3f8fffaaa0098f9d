import { randomBytes, randomUUID } from 'node:crypto'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { applyMigrations } from '#domain/schema/apply-migrations.ts'
import { freePort } from '#server/http/free-port.ts'
import { audience, startSignInProvider } from '#test/console-api/sign-in-provider.ts'
import type { Random } from '#test/harness/random.ts'
import { tlsFile } from '#test/server/webhooks/http/tls-receiver.ts'
import { PostgresPair, type PreparedCluster } from '../../harness/engines/postgres-pair.ts'
import { TcpProxy } from '../../harness/engines/tcp-proxy.ts'
import { startProvider } from './provider.ts'
import { startReceivers } from './receivers.ts'
import { openRedis } from './redis.ts'
import { type ServiceNetwork, type ServiceRole, SupervisedService } from './supervised-service.ts'
import {
  databaseName,
  databaseUrl,
  databaseUser,
  type OpenRoute,
  openTopology,
  type Topology,
} from './topology.ts'

export interface SystemOptions {
  /** For data and logs. */
  folder: string
  /** The roles of the service's processes. */
  roles: readonly ServiceRole[]
  topology: Topology
  /** Instead of a pair that is started for the topology. */
  ownDatabase?: OwnDatabase
  random: Random
  /** Otherwise `initdb` makes a cluster. */
  prepared?: PreparedCluster | undefined
  onUnexpectedExit: (line: string) => void
}

/** A PostgreSQL that the caller has started, with the service's database. */
export interface OwnDatabase {
  openRoute: OpenRoute
  query<Row extends object>(text: string): Promise<Row[]>
}

/** The service with everything that it needs, all on loopback. */
export type System = Awaited<ReturnType<typeof openSystem>>

/** Few, so that slow statements exhaust them. */
const poolSize = 5

/** Starts everything but the service's processes and the standby. */
export async function openSystem(options: SystemOptions) {
  await using opening = new AsyncDisposableStack()
  const { folder, random, roles, topology, onUnexpectedExit } = options
  await chmod(folder, 0o711)
  const pair = options.ownDatabase ? undefined : await openPair(options, opening)
  const redis = opening.adopt(await openRedis(), opened => opened.close())
  const processes: SupervisedService[] = []
  const balancer = opening.adopt(await openBalancer(processes), proxy => proxy.close())
  const baseUrl = `http://127.0.0.1:${balancer.port}`
  const veriff = { apiKey: randomUUID(), sharedSecret: randomBytes(32).toString('base64url') }
  const callbackUrl = `${baseUrl}/verify/callback`
  const provider = opening.adopt(await startProvider(veriff, callbackUrl), one => one.close())
  const receivers = opening.adopt(await startReceivers(random), opened => opened.close())
  const signIn = opening.adopt(await startSignInProvider(() => new Date()), opened => opened.close())
  const openRoute =
    options.ownDatabase?.openRoute ?? (await openTopology(topology, { database: pair!, closing: opening }))
  const shared = {
    ...commonVariables,
    BASE_URL: baseUrl,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    VERIFF_BASE_URL: provider.url,
    VERIFF_API_KEY: veriff.apiKey,
    VERIFF_SHARED_SECRET: veriff.sharedSecret,
    OIDC_ISSUER: signIn.issuer,
  }
  async function connect(): Promise<{ network: ServiceNetwork; env: Record<string, string> }> {
    const { proxies, env } = await openRoute()
    const toRedis = opening.adopt(await TcpProxy.open(redis.port), proxy => proxy.close())
    const network = { database: proxies, redis: [toRedis] }
    return { network, env: { ...shared, ...env, REDIS_URL: `redis://127.0.0.1:${toRedis.port}` } }
  }
  for (const [index, role] of roles.entries()) {
    const name = `${role}-${index}`
    const { network, env: connections } = await connect()
    const port = await freePort()
    const ports = role === 'worker' ? { PORT: '', METRICS_PORT: String(port) } : { SHUTDOWN_DELAY: '1' }
    const env = { ...connections, ...ports, ROLE: role }
    const files = { cwd: folder, dataFolder: join(folder, 'data'), logFile: join(folder, `${name}.log`) }
    processes.push(new SupervisedService({ name, role, port, env, ...files, onUnexpectedExit }, network))
  }
  opening.defer(async () => void (await Promise.all(processes.map(one => one.stop('SIGKILL')))))
  const { env: operatorEnv } = await connect()
  const closing = opening.move()
  return {
    /** What faults break, unless the caller has a PostgreSQL of its own. */
    get database(): PostgresPair {
      if (!pair) throw new Error('This PostgreSQL is the caller’s')
      return pair
    },
    /** Queries the service's database. */
    query<Row extends object>(text: string): Promise<Row[]> {
      return options.ownDatabase?.query(text) ?? pair!.primary.query(text, [], databaseName)
    },
    redis,
    provider,
    receivers,
    signIn,
    processes,
    /** Those that clients send requests to. */
    get apis() {
      return inRotation(processes)
    },
    /** The same one after the other, without those that have left the rotation by their turn. */
    *apisInTurn() {
      for (const api of inRotation(processes)) if (api.isInRotation) yield api
    },
    workers: processes.filter(({ options }) => options.role !== 'api'),
    /** For the operator's command line: connections that no fault reaches. */
    operatorEnv,
    close: () => closing.disposeAsync(),
  }
}

/** Retries come soon, so that a run sees all three attempts. */
const commonVariables = {
  HOST: '127.0.0.1',
  DATABASE_POOL_SIZE: String(poolSize),
  OIDC_AUDIENCE: audience,
  WEBHOOK_RETRY_DELAYS: '0.5,1',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  WEBHOOK_CA_FILE: tlsFile('ca'),
  // Each request names another client address, as many clients would.
  TRUST_PROXY: '1',
}

/** The API processes that a load balancer routes requests to; all of them if that is none. */
function inRotation(processes: SupervisedService[]): SupervisedService[] {
  const apis = processes.filter(({ options }) => options.role !== 'worker')
  const chosen = apis.filter(({ isInRotation }) => isInRotation)
  return chosen.length > 0 ? chosen : apis
}

async function openPair(
  { folder, prepared }: SystemOptions,
  closing: AsyncDisposableStack,
): Promise<PostgresPair> {
  const pair = closing.adopt(await PostgresPair.open(folder, prepared), opened => opened.close())
  await createDatabase(pair)
  return pair
}

async function createDatabase({ primary }: PostgresPair): Promise<void> {
  // Hashes passwords once instead of 4,096 times for each connection.
  const cheaply = 'set scram_iterations = 1'
  await primary.query(`${cheaply}; alter role postgres password '${primary.options.password}'`)
  await primary.query(`${cheaply}; create role ${databaseUser} login password '${databaseUser}'`)
  await primary.query(`create database ${databaseName} owner ${databaseUser}`)
  await applyMigrations({ url: databaseUrl(`127.0.0.1:${primary.options.port}`) })
}

/** Distributes the provider's callbacks over the API processes that run. */
async function openBalancer(processes: SupervisedService[]): Promise<TcpProxy> {
  let next = 0
  return await TcpProxy.open(() => {
    const running = inRotation(processes).filter(({ isRunning }) => isRunning)
    next += 1
    return running[next % Math.max(1, running.length)]?.options.port
  })
}
