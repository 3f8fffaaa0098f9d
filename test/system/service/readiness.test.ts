import { expect } from 'chai'
import pg from 'pg'
import { newId } from '#domain/ids.ts'
import { createTestDatabase } from '../../harness/database.ts'
import { setReachable } from '../../harness/database-outage.ts'
import { describeWithRedis, startTestRedis } from '../../harness/engines/redis.ts'
import { sendToRedis } from '../../harness/engines/redis-servers.ts'
import { TcpProxy } from '../../harness/engines/tcp-proxy.ts'
import { eventually } from '../../harness/eventually.ts'
import { expectError } from '../../harness/expect-error.ts'
import { scaledTimeout } from '../../harness/scaled-timeout.ts'
import { outcomeOf } from '../../harness/system-program.ts'
import { call, tenantClient } from '../../harness/tenant-client.ts'
import { startTestService, type TestService } from '../../harness/test-service.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { useService, useTenant } from '../../harness/use-service.ts'
import { queryIn, waitingForLock } from '../../server/query-in.ts'

const unknown = newId(new Date())
const poolSize = 2

async function readiness({ baseUrl }: TestService, path = ''): Promise<[number, Record<string, string>]> {
  const { status, body } = await call(`${baseUrl}/health/ready${path}`)
  expect(body.status).to.equal(status === 200 ? 'ok' : 'unavailable')
  return [status, body.dependencies]
}

/** With a probe of the database that is in time, which a busy machine may miss: within 800 ms. */
async function readinessWithDatabase(service: TestService, path = '') {
  return await eventually(() => readiness(service, path), { until: ([, { database }]) => database === 'up' })
}

const until = async (service: TestService, expected: number) => {
  await eventually(() => readiness(service), { until: ([status]) => status === expected })
}

describe('Readiness, with the database', () => {
  const database = useOpened(createTestDatabase)
  let network: TcpProxy
  before(async () => {
    network = await TcpProxy.open(Number(new URL(database.url).port))
  })
  const service = useService(() => {
    const url = new URL(database.url)
    url.port = String(network.port)
    return { databaseUrl: url.href, env: { DATABASE_POOL_SIZE: String(poolSize) } }
  })
  const tenant = useTenant(service)
  beforeEach(() => until(service, 200))
  after(() => network.close())

  async function expectDown(): Promise<void> {
    await until(service, 503)
    for (const path of ['', '/callbacks']) {
      expect(await readiness(service, path)).to.deep.equal([503, { database: 'down' }])
    }
    expect((await call(`${service.baseUrl}/health/live`)).status).to.equal(200)
  }

  for (const [state, failure] of [
    ['is gone', 'refused'],
    ['is frozen', 'cut'],
  ] as const) {
    it(`is lost while it ${state}, which is reported within the timeout of common probes`, async () => {
      network.set(failure)
      try {
        const startedAt = performance.now()
        await Promise.all(['', '/callbacks'].map(path => call(`${service.baseUrl}/health/ready${path}`)))
        expect(performance.now() - startedAt).to.be.below(scaledTimeout(2_000))
        await expectDown()
      } finally {
        network.set('open')
      }
    })
  }

  it('is lost while it rejects connections, which the health check of the image prints', async () => {
    const { port: METRICS_PORT } = new URL(service.baseUrl)
    const ask = async (...path: string[]) => {
      const args = ['deploy/healthcheck.mjs', ...path]
      const { code, stdout } = await outcomeOf(process.execPath, args, { env: { METRICS_PORT } })
      return [code, JSON.parse(stdout)]
    }
    const up = await eventually(() => ask('/health/ready'), { until: ([code]) => code === 0 })
    expect(up).to.deep.equal([0, { status: 'ok', dependencies: { database: 'up' } }])
    await setReachable(database.url, false)
    try {
      await expectDown()
      const down = { status: 'unavailable', dependencies: { database: 'down' } }
      expect(await ask('/health/ready')).to.deep.equal([1, down])
      expect(await ask()).to.deep.equal([0, { status: 'ok' }])
    } finally {
      await setReachable(database.url, true)
    }
  })

  it('is lost while it is read-only', async () => {
    const name = new URL(database.url).pathname.slice(1)
    await queryIn(database.url, `alter database ${name} set default_transaction_read_only = on`)
    network.reset()
    try {
      await expectDown()
    } finally {
      await queryIn(
        database.url,
        `begin read write; alter database ${name} reset default_transaction_read_only; commit`,
      )
    }
  })

  it('is kept while statements that wait for a locked table occupy the whole pool', async () => {
    const { status } = tenantClient(service, tenant)
    await status(unknown)
    const holder = new pg.Client({ connectionString: database.url })
    await holder.connect()
    await holder.query('begin; lock table verification in access exclusive mode')
    const stuck: Promise<void>[] = []
    let isLocked = true
    // Each waits for three seconds.
    const askWhileLocked = async () => {
      while (isLocked) await status(unknown)
    }
    try {
      for (let sent = 0; sent < poolSize; sent++) {
        stuck.push(askWhileLocked())
        await eventually(async () => (await waitingForLock(database.url)) === stuck.length)
      }
      for (const path of ['', '/callbacks']) {
        expect(await readinessWithDatabase(service, path)).to.deep.equal([200, { database: 'up' }])
      }
      await eventually(async () => (await waitingForLock(database.url)) === poolSize)
    } finally {
      isLocked = false
      await holder.end()
    }
    await Promise.all(stuck)
    expectError(await status(unknown), 'VERIFICATION_NOT_FOUND')
  })
})

describeWithRedis('Readiness, with Redis', () => {
  const redis = useOpened(startTestRedis)
  const service = useService(() => ({ redisUrl: redis.url }))
  const tenant = useTenant(service)
  beforeEach(() => until(service, 200))

  /** The tenant API is not ready, and does fail; the callbacks remain ready. */
  async function expectDown(): Promise<void> {
    await until(service, 503)
    expect(await readinessWithDatabase(service)).to.deep.equal([503, { database: 'up', redis: 'down' }])
    expect(await readinessWithDatabase(service, '/callbacks')).to.deep.equal([200, { database: 'up' }])
    expectError(await tenantClient(service, tenant).status(unknown), 'REDIS_ERROR')
  }

  it('names both dependencies while they are up', async () => {
    const up = await eventually(() => readiness(service), { until: ([status]) => status === 200 })
    expect(up).to.deep.equal([200, { database: 'up', redis: 'up' }])
  })

  for (const [state, refuse, accept] of [
    ['has no memory left', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
    ['is a read-only replica', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
    [
      'lacks the replicas that writes need',
      ['CONFIG', 'SET', 'min-replicas-to-write', '1'],
      ['CONFIG', 'SET', 'min-replicas-to-write', '0'],
    ],
  ] as const) {
    it(`is lost for the tenant API only, while it refuses writes because it ${state}`, async () => {
      await tenantClient(service, tenant).status(unknown)
      await sendToRedis(redis.url, refuse)
      try {
        await expectDown()
      } finally {
        await sendToRedis(redis.url, accept)
      }
    })
  }

  it('needs no Redis on a worker', async () => {
    const worker = await startTestService({
      databaseUrl: service.databaseUrl,
      redisUrl: redis.url,
      env: { ROLE: 'worker' },
    })
    try {
      expect(await readinessWithDatabase(worker)).to.deep.equal([200, { database: 'up' }])
    } finally {
      await worker.close()
    }
  })
})
