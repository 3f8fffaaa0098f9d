import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { eventually } from '../../harness/eventually.ts'
import { haproxy, startHaproxy } from '../../harness/haproxy.ts'
import { pgbouncerWithStatements, startPgbouncer } from '../../harness/pgbouncer.ts'
import { type PostgresPair, postgresServer, startPostgresPair } from '../../harness/postgres-pair.ts'
import { writeServerCertificate } from '../../harness/server-certificate.ts'
import { describeWith } from '../../harness/system-program.ts'
import { startTcpRelay, type TcpAddress, type TcpRelay } from '../../harness/tcp-relay.ts'
import { type DatabaseRoute, type FailoverService, startFailoverService } from './failover-service.ts'
import { type Ledger, runWorkload } from './workload.ts'

/** How the service reaches the pair: through relays that can cut the network, one in front of each server. */
interface Network {
  pair: PostgresPair
  relays: [TcpRelay, TcpRelay]
  /** A single address that follows the primary as a DNS record would: existing connections stay where they are. */
  floating: TcpRelay
}

/** What happens to the primary before its standby is promoted. */
const faults = {
  'is switched over': ({ pair }: Network) => pair.primary().stop('fast'),
  crashes: ({ pair }: Network) => pair.primary().stop('immediate'),
  freezes: ({ pair }: Network) => pair.primary().freeze(),
  async 'is cut off the network'({ relays, floating }: Network) {
    relays[0].cut()
    floating.cut()
  },
}

/** How the service reaches the primary. */
const routes = {
  'through HAProxy': async (network: Network, closing: AsyncDisposableStack) => ({
    databaseUrl: await startProxy(network, closing),
  }),
  'with a URL of several hosts': async ({ relays }: Network) => ({
    databaseUrl: urlOfSeveral(relays.map(({ host, port }) => `${host}:${port}`)),
  }),
  'by an address that moves': async ({ floating }: Network) => ({ databaseUrl: urlOf(floating) }),
  async 'with a URL of several hosts and TLS'({ pair, relays }: Network, closing: AsyncDisposableStack) {
    const hosts = relays.map(({ port }) => `localhost:${port}`)
    const sslrootcert = await requireTls(pair, closing)
    return { databaseUrl: `${urlOfSeveral(hosts)}&sslmode=verify-full&sslrootcert=${sslrootcert}` }
  },
  async 'through PgBouncer in session mode and HAProxy'(network: Network, closing: AsyncDisposableStack) {
    return { databaseUrl: await startPooler('session', await startProxy(network, closing), closing) }
  },
  async 'through PgBouncer in transaction mode and HAProxy'(network: Network, closing: AsyncDisposableStack) {
    const databaseDirectUrl = await startProxy(network, closing)
    return { databaseUrl: await startPooler('transaction', databaseDirectUrl, closing), databaseDirectUrl }
  },
} satisfies Record<string, (network: Network, closing: AsyncDisposableStack) => Promise<DatabaseRoute>>

/** Each fault at least once; all combinations with FAILOVER=all, which takes minutes. */
const cases: [keyof typeof routes, keyof typeof faults][] = [
  ['through HAProxy', 'is switched over'],
  ['with a URL of several hosts', 'crashes'],
  ['through HAProxy', 'freezes'],
  ['with a URL of several hosts', 'is cut off the network'],
  ['by an address that moves', 'freezes'],
]
const combinations = Object.keys(routes).flatMap(route => Object.keys(faults).map(fault => [route, fault]))
const selected = process.env.FAILOVER === 'all' ? (combinations as typeof cases) : cases
const requirements = [
  postgresServer,
  haproxy,
  ...(selected.some(([route]) => route.includes('PgBouncer')) ? [pgbouncerWithStatements] : []),
]

const urlOf = ({ host, port }: TcpAddress) => `postgres://postgres@${host}:${port}/verify`

const urlOfSeveral = (hosts: string[]) =>
  `postgres://postgres@${hosts.join()}/verify?target_session_attrs=read-write`

/** Under the load of other tests; it is 1,500 on an idle machine. */
const recoveryMsMax = 10_000

/** The message of `pg` when no connection of a pool becomes free in time. */
const poolTimeout = 'timeout exceeded when trying to connect'

describeWith(requirements, 'A service whose PostgreSQL primary', function () {
  this.timeout(120_000)

  for (const [route, fault] of selected) {
    it(`${fault}, reached ${route}, works again soon after the promotion, and has lost nothing`, async () => {
      await using closing = new AsyncDisposableStack()
      const network = await startNetwork(closing)
      const { pair, relays, floating } = network
      const failover = await startFailoverService(await routes[route](network, closing))
      closing.defer(() => failover.close())
      const workload = runWorkload(failover)
      await eventually(() => workload.ledger.decided.length >= 10)
      await eventually(() => failover.events().length >= 5)
      const faultAt = performance.now()
      await faults[fault](network)
      // The manager needs this time to decide.
      await elapsed(faultAt, 2_000)
      const promotionAt = performance.now()
      await pair.promote()
      floating.target = relays[1]
      floating.mend()
      await eventually(() => Object.values(recoveries(workload.ledger, promotionAt)).every(Number.isFinite), {
        timeoutMs: 30_000,
      })
      const before = failover.events().length
      const delivered = await eventually(() => failover.events().length > before && performance.now())
      await workload.stop()
      const measured = {
        ...recoveries(workload.ledger, promotionAt),
        worker: Math.round(Number(delivered) - promotionAt),
      }
      report(route, fault, measured, workload.ledger)
      for (const [process, ms] of Object.entries(measured)) expect(ms, process).to.be.below(recoveryMsMax)
      await expectComplete(pair, failover, workload.ledger)
    })
  }

  it('comes back as a standby behind the same address is not used until it is the primary again', async () => {
    await using closing = new AsyncDisposableStack()
    const { pair, floating } = await startNetwork(closing)
    const failover = await startFailoverService({ databaseUrl: urlOf(floating) })
    closing.defer(() => failover.close())
    const workload = runWorkload(failover)
    await eventually(() => workload.ledger.decided.length >= 5)
    await pair.primary().stop('fast')
    await pair.promote()
    await pair.rejoin()
    const { pool } = failover.service.services.database
    const use = () =>
      pool.query({ name: 'probe', text: 'select 1', values: [] }).then(
        () => 'used',
        (error: Error) => error.message,
      )
    // The workload may leave no connection of the pool for the statement.
    const outcome = await eventually(use, { until: outcome => outcome !== poolTimeout, timeoutMs: 30_000 })
    expect(outcome).to.match(/is a standby$/)
    await pair.primary().stop('fast')
    const promotionAt = performance.now()
    await pair.promote()
    await eventually(() => Object.values(recoveries(workload.ledger, promotionAt)).every(Number.isFinite), {
      timeoutMs: 30_000,
    })
    await workload.stop()
    await expectComplete(pair, failover, workload.ledger)
  })
})

async function startNetwork(closing: AsyncDisposableStack): Promise<Network> {
  const pair = await startPostgresPair()
  closing.defer(() => pair.close())
  const start = async (target: TcpAddress) => {
    const relay = await startTcpRelay(target)
    closing.defer(() => relay.close())
    return relay
  }
  const relays: [TcpRelay, TcpRelay] = [await start(pair.nodes[0]), await start(pair.nodes[1])]
  return { pair, relays, floating: await start(relays[0]) }
}

/** Starts HAProxy in front of the relays. Returns its URL. */
async function startProxy({ pair, relays }: Network, closing: AsyncDisposableStack): Promise<string> {
  const proxy = await startHaproxy(
    pair.nodes.map(({ name }, index) => ({ name, host: relays[index]!.host, port: relays[index]!.port })),
  )
  closing.defer(() => proxy.close())
  return urlOf(proxy)
}

/** Starts PgBouncer in front of a server. Returns its URL. */
async function startPooler(mode: 'session' | 'transaction', url: string, closing: AsyncDisposableStack) {
  const settings = [
    'ignore_startup_parameters = statement_timeout,options',
    'default_pool_size = 60',
    // By default, it waits 15 seconds after a connection that failed.
    'server_login_retry = 0.2',
    ...(mode === 'transaction' ? ['max_prepared_statements = 200'] : []),
  ]
  const pooler = await startPgbouncer({ url, mode, settings })
  closing.defer(() => pooler.close())
  return pooler.url
}

/** Gives both servers a certificate. Returns the path of its PEM file. */
async function requireTls({ nodes }: PostgresPair, closing: AsyncDisposableStack): Promise<string> {
  const certificate = await writeServerCertificate(...nodes.map(({ dataFolder }) => dataFolder))
  for (const node of nodes) {
    await node.query('alter system set ssl = on')
    await node.query('select pg_reload_conf()')
  }
  const folder = await mkdtemp(join(tmpdir(), 'age-verification-failover-'))
  closing.defer(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'server.pem')
  await writeFile(file, certificate)
  return file
}

async function elapsed(since: number, ms: number): Promise<void> {
  await eventually(() => performance.now() - since >= ms)
}

/** Milliseconds from the promotion to the first success of each kind of call; Infinity if there is none yet. */
function recoveries({ calls }: Ledger, promotionAt: number): Record<string, number> {
  return Object.fromEntries(
    Object.entries(calls).map(([kind, ended]) => {
      const first = ended.find(({ at, ok }) => ok && at > promotionAt)
      return [kind, first ? Math.round(first.at - promotionAt) : Infinity]
    }),
  )
}

/** Everything that was acknowledged is stored, and each event arrived, none without its decision. */
async function expectComplete(
  pair: PostgresPair,
  { events }: FailoverService,
  ledger: Ledger,
): Promise<void> {
  const query = async (text: string) => {
    const rows = await pair.primary().queryIn<{ id: string }>('verify', text)
    return rows.map(({ id }) => id)
  }
  expect(await query('select id from verification')).to.include.members(ledger.started)
  expect(await query(`select id from verification where status = 'approved'`)).to.include.members(
    ledger.decided,
  )
  const delivered = await eventually(events, {
    until: all => ledger.decided.every(id => all.includes(id)),
    timeoutMs: 30_000,
  })
  const repeated = delivered.filter((id, index) => delivered.indexOf(id) !== index)
  const attempts = `select verification_id as id from delivery where attempts > 1`
  // An event may arrive again only where its outcome could not be stored.
  expect(await query(attempts)).to.include.members([...new Set(repeated)])
}

/** One line per fault, for whoever compares measurements. */
function report(route: string, fault: string, measured: object, { calls }: Ledger): void {
  const failed = Object.entries(calls).map(
    ([kind, all]) => `${kind} ${all.filter(({ ok }) => !ok).length}/${all.length}`,
  )
  console.log(
    `      ${route}, ${fault}: recovered after ms ${JSON.stringify(measured)}; failed ${failed.join(', ')}`,
  )
}
