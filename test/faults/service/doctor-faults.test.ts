import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import pg from 'pg'
import { runCommand } from '#development/operate.ts'
import type { Check } from '#operator/doctor/check.ts'
import { freePort } from '#server/http/free-port.ts'
import { serviceFixture } from '#test/harness/processes/service-fixture.ts'
import { root, type ServiceProcess } from '#test/harness/processes/service-process.ts'
import { createTestDatabase } from '../../harness/database.ts'
import { describeWithOwnRedis, startTestRedis } from '../../harness/engines/redis.ts'
import { sendToRedis } from '../../harness/engines/redis-servers.ts'
import { TcpProxy } from '../../harness/engines/tcp-proxy.ts'
import { eventually } from '../../harness/eventually.ts'
import { listenLocally } from '../../harness/listen-locally.ts'
import { sendSignal } from '../../harness/processes/process-tree.ts'
import { outcomeOf } from '../../harness/system-program.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { useService } from '../../harness/use-service.ts'
import { environmentOf, testEncryptionKey } from '../../operator/operate.ts'
import { queryIn } from '../../server/query-in.ts'

type Environment = Record<string, string>

/** How long the doctor may take, whatever is frozen. */
const doctorMsMax = 15_000
const role = 'doctor_faults'

describeWithOwnRedis('The doctor names within 15 s', function () {
  this.timeout(120_000)
  const database = useOpened(createTestDatabase)
  const redis = useOpened(startTestRedis)
  const service = useService(() => ({ databaseUrl: database.url, redisUrl: redis.url }))
  const fixture = serviceFixture()
  let network: TcpProxy
  let worker: ServiceProcess
  let env: Environment
  let silentUrl: string
  let undo: AsyncDisposableStack
  const suite = new AsyncDisposableStack()

  const startWorker = async () => {
    const variables = {
      ...env,
      DATABASE_URL: database.url,
      ROLE: 'worker',
      METRICS_PORT: String(await freePort()),
    }
    const settings = { OIDC_ISSUER: 'https://sign-in.example', OIDC_AUDIENCE: 'console' }
    worker = await fixture.start({ name: 'worker', env: { ...variables, ...settings } })
  }

  before(async () => {
    network = await TcpProxy.open(Number(new URL(database.url).port))
    suite.defer(() => network.close())
    const silent = await listenLocally(createServer(() => {}))
    suite.defer(silent.close)
    silentUrl = silent.url
    const throughNetwork = new URL(database.url)
    throughNetwork.port = String(network.port)
    env = {
      ...environmentOf(service),
      DATABASE_URL: throughNetwork.href,
      ENCRYPTION_KEY: testEncryptionKey,
      BASE_URL: service.baseUrl,
      REDIS_URL: redis.url,
    }
    await queryIn(
      database.url,
      `create role ${role} login password 'doctor'; grant all on all tables in schema public to ${role}`,
    )
    // The privileges end with the database, which the hook before this one drops.
    suite.defer(() => inMaintenance(`drop role ${role}`))
    await startWorker()
  })
  beforeEach('until nothing is at fault', async () => {
    undo = new AsyncDisposableStack()
    await eventually(async () => Object.keys((await examine({})).faults).length === 0)
  })
  afterEach(() => undo.disposeAsync())
  after(() => suite.disposeAsync())

  async function examine(changed: Environment): Promise<{ faults: Record<string, string>; code: number }> {
    const startedAt = performance.now()
    const { out, code } = await runCommand({ ...env, ...changed }, ['doctor', '--json'])
    expect(performance.now() - startedAt).to.be.below(doctorMsMax)
    return { faults: faultsIn(out), code }
  }

  /** Expects that the doctor finds these faults and no other one. */
  async function expectFaults(changed: Environment, expected: Record<string, RegExp>): Promise<void> {
    const { faults, code } = await examine(changed)
    expect(Object.keys(faults), JSON.stringify(faults)).to.deep.equal(Object.keys(expected))
    for (const [name, message] of Object.entries(expected)) expect(faults[name]).to.match(message)
    expect(code).to.equal(1)
  }

  function databaseUrl(
    change: Partial<Pick<URL, 'username' | 'password' | 'pathname' | 'search'>>,
  ): Environment {
    return { DATABASE_URL: Object.assign(new URL(database.url), change).href }
  }

  async function inDatabase(change: string, back: string): Promise<void> {
    const name = new URL(database.url).pathname.slice(1)
    undo.defer(() => inMaintenance(back.replace('NAME', name)))
    await inMaintenance(change.replace('NAME', name))
  }

  async function inMaintenance(statement: string): Promise<void> {
    const { DATABASE_URL = '' } = databaseUrl({ pathname: '/postgres' })
    await queryIn(DATABASE_URL, statement)
  }

  const asRole = { username: role, password: 'doctor' }

  it('a PostgreSQL that is frozen, or behind a network that drops everything', async () => {
    undo.defer(async () => network.set('open'))
    network.set('stalled')
    await expectFaults(
      {},
      { database: /timeout expired: the server is frozen, or a firewall or the network/ },
    )
  })

  it('a PostgreSQL that freezes while it is examined', async () => {
    undo.defer(async () => network.set('open'))
    network.cutAt('pg_blocking_pids')
    const { faults, code } = await examine({})
    expect(faults['database-waits']).to.match(/^did not finish within \d s$/)
    expect(faults['database-clock']).to.match(/^not checked/)
    expect(code).to.equal(1)
  })

  it('a login, database or encryption that PostgreSQL refuses, each with what to do', async () => {
    const refused: [Environment, RegExp][] = [
      [
        databaseUrl({ password: 'wrong' }),
        /password authentication failed.*: the password, or the user, is wrong$/,
      ],
      [
        databaseUrl({ pathname: '/missing' }),
        /"missing" does not exist: create the database, or correct its name$/,
      ],
      [databaseUrl({ search: 'sslmode=verify-full' }), /does not support SSL.*: turn ssl on at the server/],
      [
        { DATABASE_URL: 'postgres://u@no-such-host.invalid/db?sslmode=disable' },
        /: the name of the host has no address/,
      ],
    ]
    for (const [changed, message] of refused) await expectFaults(changed, { database: message })
  })

  it('limits on connections, each in its own words', async () => {
    await inDatabase(`alter role ${role} connection limit 0`, `alter role ${role} connection limit -1`)
    await expectFaults(databaseUrl(asRole), {
      database:
        /too many connections for role.*: raise it \(alter role … connection limit\), or close connections/,
    })
    await queryIn(database.url, `alter role ${role} connection limit -1`)
    await inDatabase('alter database NAME connection limit 0', 'alter database NAME connection limit -1')
    await expectFaults(databaseUrl(asRole), {
      database:
        /too many connections for database.*: raise it \(alter database … connection limit\), or close/,
    })
  })

  it('a database that is read-only for new sessions', async () => {
    await inDatabase(
      'alter database NAME set default_transaction_read_only = on',
      'alter database NAME reset default_transaction_read_only',
    )
    const { faults, code } = await examine({})
    expect(faults.database).to.match(
      /is read-only: DATABASE_URL must lead to the primary; if it does, find out/,
    )
    expect(code).to.equal(1)
  })

  it('a table that somebody has locked', async () => {
    const holder = new pg.Client({ connectionString: database.url, application_name: 'a person' })
    await holder.connect()
    undo.defer(() => holder.end())
    await holder.query('begin; lock table lease in access exclusive mode')
    const { faults } = await eventually(() => examine({}), {
      until: found => 'database-waits' in found.faults,
    })
    expect(faults['database-waits']).to.match(
      /\(a person, idle in transaction, .*\) blocks .* end it with select/,
    )
    expect(faults.worker).to.match(/^a statement did not finish within 2.5 s: see database-waits/)
  })

  it('a Redis that is frozen, or refuses the password', async () => {
    await redis.server!.send('CONFIG', 'SET', 'requirepass', 'secret')
    const password = `redis://:secret@127.0.0.1:${redis.server!.port}`
    const { faults } = await examine({})
    expect(faults.redis).to.match(/^REDIS_URL: Redis cannot be used: NOAUTH /)
    const wrong = await examine({ REDIS_URL: password.replace('secret', 'wrong') })
    expect(wrong.faults.redis).to.match(/^REDIS_URL: Redis cannot be used: WRONGPASS /)
    await sendToRedis(password, ['CONFIG', 'SET', 'requirepass', ''])
    undo.defer(async () => void redis.server!.process.kill('SIGCONT'))
    redis.server!.process.kill('SIGSTOP')
    expect((await examine({})).faults.redis).to.match(/^REDIS_URL: Redis cannot be used: /)
  })

  it('what is silent all at once: PostgreSQL, Redis, both providers and BASE_URL, as a command of its own, too', async () => {
    undo.defer(async () => network.set('open'))
    undo.defer(async () => void redis.server!.process.kill('SIGCONT'))
    network.set('stalled')
    redis.server!.process.kill('SIGSTOP')
    const silent = {
      VERIFF_BASE_URL: silentUrl,
      OIDC_ISSUER: silentUrl,
      OIDC_AUDIENCE: 'console',
      BASE_URL: silentUrl,
    }
    const expected = {
      database: /: the server is frozen, or/,
      redis: /^REDIS_URL: /,
      'identity-provider': /did not respond within 6000 ms: check VERIFF_BASE_URL, DNS, and the firewall/,
      'sign-in-provider': /no response in time/,
      'base-url': /no response in time\. The service may wait for PostgreSQL: first fix database$/,
    }
    await expectFaults(silent, expected)
    const startedAt = performance.now()
    const command = ['operator/main.ts', 'doctor', '--json']
    const variables = { PATH: process.env.PATH!, DATA_DIR: join(fixture.folder, 'none'), ...env, ...silent }
    const { code, stdout } = await outcomeOf(process.execPath, command, { cwd: root, env: variables })
    expect(performance.now() - startedAt).to.be.below(doctorMsMax)
    expect([code, Object.keys(faultsIn(String(stdout)))]).to.deep.equal([1, Object.keys(expected)])
  })

  it('a worker that is frozen, killed or stopped, until another one runs', async () => {
    const frozen =
      /^no worker has done anything for \d+ s: it was stopped or killed, is frozen, or cannot use PostgreSQL\. Fix/
    sendSignal(worker.pid, 'SIGSTOP')
    undo.defer(async () => sendSignal(worker.pid, 'SIGCONT'))
    // Instead of waiting: one that runs would record a run within ten seconds.
    const age = `update service_setting set updated_at = updated_at - interval '1 minute' where name like 'task: %'`
    await queryIn(database.url, age)
    await expectFaults({}, { worker: frozen })
    sendSignal(worker.pid, 'SIGCONT')
    await eventually(async () => !('worker' in (await examine({})).faults))
    sendSignal(worker.pid, 'SIGKILL')
    await worker.ended
    await queryIn(database.url, age)
    await expectFaults({}, { worker: frozen })
    await startWorker()
    await eventually(async () => !('worker' in (await examine({})).faults))
    worker.signal('SIGTERM')
    await worker.ended
    await queryIn(database.url, age)
    await expectFaults({}, { worker: frozen })
  })
})

function faultsIn(json: string): Record<string, string> {
  const { checks }: { checks: Check[] } = JSON.parse(json)
  return Object.fromEntries(checks.filter(({ ok }) => !ok).map(({ name, message }) => [name, message]))
}
