import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { applyMigrations } from '#domain/schema/apply-migrations.ts'
import { startOnce } from '../chaos/clients/start.ts'
import type { Fault } from '../chaos/faults/fault.ts'
import { postgres } from '../chaos/faults/postgres.ts'
import { planInTurn } from '../chaos/plan.ts'
import type { Run } from '../chaos/run.ts'
import type { SupervisedService } from '../chaos/system/supervised-service.ts'
import type { OwnDatabase } from '../chaos/system/system.ts'
import { databaseName, databaseUrl, databaseUser } from '../chaos/system/topology.ts'
import { haproxy, runPostgresHaproxy } from '../harness/engines/haproxy.ts'
import { PatroniCluster, patroniPrograms, root } from '../harness/engines/patroni-cluster.ts'
import type { PatroniNode } from '../harness/engines/patroni-node.ts'
import { redisServer } from '../harness/engines/redis.ts'
import { TcpProxy } from '../harness/engines/tcp-proxy.ts'
import { describeWith } from '../harness/system-program.ts'
import { queryIn } from '../server/query-in.ts'
import { runPlan } from './run-plan.ts'

/** A third of the defaults, so that a failover takes 10 seconds at most. */
const timing = ['ttl=10', 'loop_wait=1', 'retry_timeout=3']
const routes = ['HAProxy', 'an address that moves']

const requirements = [redisServer, haproxy, patroniPrograms, root]

describeWith(requirements, 'A service on PostgreSQL under Patroni', function () {
  this.timeout(400_000)
  const closing = new AsyncDisposableStack()
  let cluster: PatroniCluster
  let ownDatabase: OwnDatabase
  let address: TcpProxy

  before('start it as documented, with shorter times', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'age-verification-patroni-'))
    closing.defer(() => rm(folder, { recursive: true, force: true }))
    await chmod(folder, 0o711)
    cluster = await PatroniCluster.open(folder, closing)
    const primary = await cluster.untilRedundant()
    await primary.control('edit-config', '--force', ...timing.flatMap(value => ['--set', value]))
    await createDatabase(primary)
    address = closing.adopt(await TcpProxy.open(primary.networks.postgres.port), proxy => proxy.close())
    ownDatabase = await openDatabase(cluster, address, closing)
  })
  after(() => closing.disposeAsync())

  it('loses nothing in a switchover, a crash, a freeze and a cut, through HAProxy and by an address that moves', async () => {
    const measured: string[] = []
    const faults = breakages.map(one => toFault(cluster, address, one, line => measured.push(line)))
    const plan = planInTurn(...faults.map(fault => ({ fault, lastsMs: 0 })))
    // One API process and one worker by each route.
    await runPlan({ plan, ownDatabase, roles: ['api', 'api', 'worker', 'worker'] })
    console.log(measured.map(line => `      ${line}`).join('\n'))
  })
})

/** What happens to the primary, and what its machine's operator does afterwards. */
interface Breakage {
  name: string
  break(primary: PatroniNode): unknown
  repair(former: PatroniNode): void
}

const breakages: Breakage[] = [
  { name: 'switchover', break: primary => primary.control('switchover', '--force'), repair: () => undefined },
  { name: 'crash', break: primary => primary.kill(), repair: former => former.start() },
  { name: 'freeze', break: primary => primary.freeze(), repair: former => former.resume() },
  {
    name: 'cut network',
    break: primary => primary.setNetwork('cut'),
    repair: former => former.setNetwork('open'),
  },
]

/**
 * Lasts until Patroni has promoted another node, to which the address moves then; what is connected stays where it is.
 * Measures how long that and the first start by each route take.
 */
function toFault(
  cluster: PatroniCluster,
  address: TcpProxy,
  breakage: Breakage,
  report: (line: string) => void,
): Fault {
  let former: PatroniNode
  let brokenAt: number
  let promotedAt: number
  return {
    ...postgres,
    name: `${breakage.name} of the primary`,
    weight: 0,
    lastsMs: [0, 0],
    async begin() {
      former = await cluster.untilRedundant()
      brokenAt = performance.now()
      await breakage.break(former)
    },
    async heal() {
      const promoted = await cluster.untilPromoted(cluster.nodes.filter(node => node !== former))
      address.target = () => promoted.networks.postgres.port
      promotedAt = performance.now()
    },
    async settle(run) {
      const { apis } = run.system
      const startedAt = await Promise.all(apis.map(process => findFirstStart(run, process)))
      const seconds = (from: number, to: number) => `${((to - from) / 1_000).toFixed(2)} s`
      const starts = routes.map((route, index) => `${seconds(promotedAt, startedAt[index]!)} by ${route}`)
      report(
        `${breakage.name}: promoted after ${seconds(brokenAt, promotedAt)}, first start ${starts.join(', ')}`,
      )
      breakage.repair(former)
      await cluster.untilRedundant()
    },
  }
}

/** Starts verifications, twenty a second, until one is acknowledged. Returns when that was. */
async function findFirstStart(run: Run, process: SupervisedService): Promise<number> {
  let firstAt: number | undefined
  const attempts: Promise<void>[] = []
  while (firstAt === undefined) {
    const attempt = startOnce(run, process, run.ledger.tenant('with events')).then(({ outcome }) => {
      if (outcome === 'acknowledged') firstAt ??= performance.now()
    })
    attempts.push(attempt)
    await Promise.race([attempt, wait(50)])
  }
  await Promise.all(attempts)
  return firstAt
}

async function createDatabase(primary: PatroniNode): Promise<void> {
  await queryIn(primary.url, `create role ${databaseUser} login password '${databaseUser}'`)
  await queryIn(primary.url, `create database ${databaseName} owner ${databaseUser}`)
  await applyMigrations({ url: databaseUrl(new URL(primary.url).host) })
}

/** Processes reach it through HAProxy and by the address that moves, in turn. */
async function openDatabase(
  cluster: PatroniCluster,
  address: TcpProxy,
  closing: AsyncDisposableStack,
): Promise<OwnDatabase> {
  const port = await runPostgresHaproxy(cluster.haproxyServers, closing)
  const urls = [port, address.port].map(each => databaseUrl(`127.0.0.1:${each}`))
  let opened = 0
  return {
    openRoute: async () => ({ proxies: [], env: { DATABASE_URL: urls[opened++ % urls.length]! } }),
    query: async <Row>(text: string) => (await queryIn(urls[0]!, text)) as Row[],
  }
}
