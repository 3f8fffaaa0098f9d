import { expect } from 'chai'
import { freePort } from '#server/http/free-port.ts'
import { externalVariables, serviceFixture } from '#test/harness/processes/service-fixture.ts'
import { fatalMessages, type ServiceProcess } from '#test/harness/processes/service-process.ts'
import { clientId, startSignInProvider } from '../console-api/sign-in-provider.ts'
import { createTestDatabase } from '../harness/database.ts'
import { describeWithRedis, startTestRedis } from '../harness/engines/redis.ts'
import { type Network, TcpProxy } from '../harness/engines/tcp-proxy.ts'
import { eventually } from '../harness/eventually.ts'
import { expectError } from '../harness/expect-error.ts'
import { decisionOn, sendCallback, sessionOf } from '../harness/provider-callback.ts'
import { scaledTimeout } from '../harness/scaled-timeout.ts'
import { call, tenantClient } from '../harness/tenant-client.ts'
import { createTestTenant, type TestService, type TestTenant } from '../harness/test-service.ts'
import { useOpened } from '../harness/use-opened.ts'
import { useService } from '../harness/use-service.ts'
import { operate } from '../operator/operate.ts'
import { queryIn } from '../server/query-in.ts'
import { startReceiver, tlsFile } from '../server/webhooks/http/tls-receiver.ts'

type Started = Pick<ServiceProcess, 'baseUrl' | 'says' | 'out'>

const readiness = async ({ baseUrl }: Started, path = '') => {
  const { status, body } = await call(`${baseUrl}/health/ready${path}`)
  return { status, ...body.dependencies }
}

/** With a probe of the database that is in time, which a busy machine may miss. */
const timelyReadiness = (service: Started, path?: string) =>
  eventually(() => readiness(service, path), { until: ({ database }) => database === 'up' })

/** Prints how long it took: what is promised, 2 s, depends on the machine. */
async function untilReady(service: Started): Promise<void> {
  const startedAt = performance.now()
  await eventually(async () => (await readiness(service)).status === 200)
  console.log(`      ready ${Math.round(performance.now() - startedAt)} ms after the return`)
}

async function dependencyUp({ baseUrl }: Started, dependency: string): Promise<string | undefined> {
  const { body } = await call(`${baseUrl}/metrics`)
  return new RegExp(`^age_verification_dependency_up\\{dependency="${dependency}"\\} (\\d)$`, 'm').exec(
    body,
  )?.[1]
}

const countLines = ({ out }: Started, pattern: RegExp) => out().match(new RegExp(pattern, 'g'))?.length ?? 0

describe('A start', () => {
  const fixture = serviceFixture()
  const other = useService()
  let tenant: TestTenant
  let network: TcpProxy
  let env: Record<string, string>
  let running: ServiceProcess | undefined
  before(async () => {
    tenant = await createTestTenant(other)
    const url = new URL(other.databaseUrl)
    network = await TcpProxy.open(Number(url.port))
    url.port = String(network.port)
    env = externalVariables(url.href, { baseUrl: other.veriffUrl, ...other.veriff })
  })
  beforeEach(() => network.set('open'))
  afterEach(async () => {
    running?.signal('SIGTERM')
    await running?.ended
    running = undefined
  })
  after(() => network.close())

  async function launch(settings: Record<string, string>, name = 'start') {
    running = await fixture.launch({ name, env: { ...env, ...settings } })
    return running
  }

  /** Expects that it is live, not ready, and says for what it waits; then lets it have PostgreSQL. */
  async function expectWaiting(service: Started): Promise<void> {
    const live = await eventually(() => call(`${service.baseUrl}/health/live`))
    expect([live.status, live.body]).to.deep.equal([200, { status: 'ok' }])
    await service.says(/"level":"warn".*"Waiting for PostgreSQL: [^"]+"/)
    for (const path of ['', '/callbacks']) {
      expect(await readiness(service, path)).to.deep.include({ status: 503, database: 'down' })
    }
    expect(await dependencyUp(service, 'database')).to.equal('0')
  }

  async function expectReady(service: Started): Promise<void> {
    network.set('open')
    await untilReady(service)
    await service.says(/"PostgreSQL is available"/)
    await eventually(async () => (await dependencyUp(service, 'database')) === '1')
  }

  for (const [title, unreachable] of [
    ['that is gone', 'refused'],
    ['that does not answer', 'cut'],
  ] as [string, Network][]) {
    it(`waits for a PostgreSQL ${title}: live, not ready, DATABASE_ERROR, and serves as soon as it is back`, async () => {
      network.set(unreachable)
      const service = await launch({ ROLE: 'api' })
      await expectWaiting(service)
      expectError(await tenantClient(service, tenant).validate('x'), 'DATABASE_ERROR')
      expectError(await call(`${service.baseUrl}/verify/callback`, { method: 'POST' }), 'DATABASE_ERROR')
      await expectReady(service)
      expect((await tenantClient(service, tenant).validate('x')).status).to.equal(200)
      expect(countLines(service, /Waiting for PostgreSQL/)).to.equal(1)
    })
  }

  it('of a worker waits for PostgreSQL too', async () => {
    network.set('refused')
    const port = await freePort()
    const worker = await launch({ ROLE: 'worker', METRICS_PORT: String(port) })
    const service = { ...worker, baseUrl: `http://127.0.0.1:${port}` }
    await expectWaiting(service)
    await expectReady(service)
  })

  it('that waits ends at once on SIGTERM', async () => {
    network.set('refused')
    const service = await launch({})
    await service.says(/Waiting for PostgreSQL/)
    const startedAt = performance.now()
    service.signal('SIGTERM')
    expect(await service.ended).to.include({ code: 0, err: '' })
    expect(performance.now() - startedAt).to.be.below(scaledTimeout(5_000))
  })

  it('waits with MIGRATE_ON_START=false until migrations are applied', async () => {
    const empty = await createTestDatabase()
    try {
      await queryIn(empty.url, 'drop schema public cascade; create schema public')
      const url = new URL(empty.url)
      url.port = String(network.port)
      network.set('refused')
      const settings = { DATABASE_URL: url.href, MIGRATE_ON_START: 'false' }
      const service = await launch(settings)
      await service.says(/Waiting for PostgreSQL: [^"]+/)
      network.set('open')
      await service.says(/"PostgreSQL is available"/)
      await service.says(
        /Waiting for the database schema: .* older .*pending: Migration\d+.*operator database migrate/,
      )
      expect(await readiness(service)).to.deep.include({ status: 503, database: 'down' })
      expect(await operate({ ...env, ...settings }, 'database', 'migrate')).to.include({ code: 0 })
      await untilReady(service)
      await service.says(/"The database schema is available"/)
      expect(countLines(service, /Waiting for (PostgreSQL|the database schema)/)).to.equal(2)
      running!.signal('SIGTERM')
      await running!.ended
    } finally {
      await empty.close()
    }
  })

  it('does not wait for the sign-in provider, says that it is away, and lets users sign in when it is back', async () => {
    const provider = await startSignInProvider(() => new Date())
    provider.unavailable = true
    try {
      const service = await launch({ OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: clientId })
      await service.up()
      await service.says(/"level":"warn".*"Waiting for the sign-in provider: [^"]+503/)
      expect(await timelyReadiness(service)).to.include({ status: 200, signInProvider: 'down' })
      expect(await dependencyUp(service, 'sign_in_provider')).to.equal('0')
      const authorization = `Bearer ${await provider.sign()}`
      const me = () => call(`${service.baseUrl}/console/session.me`, { headers: { authorization } })
      expect((await me()).status).to.equal(500)
      provider.unavailable = false
      expect((await me()).status).to.equal(200)
      await eventually(async () => (await readiness(service)).signInProvider === 'up')
      await eventually(async () => (await dependencyUp(service, 'sign_in_provider')) === '1')
    } finally {
      await provider.close()
    }
  })

  describeWithRedis('with Redis', () => {
    const redis = useOpened(startTestRedis, 'test')

    it('does not wait for it: callbacks are handled and events delivered, and the tenant API follows with it', async () => {
      const receiver = await startReceiver()
      const url = `https://127.0.0.1:${receiver.port}/`
      const own = await createTestTenant(other)
      const webhooks = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_CA_FILE: tlsFile('ca') }
      const set = ['tenant', 'set-webhook', '--tenant', own.tenantId, '--url', url]
      expect(await operate({ ...env, ...webhooks }, ...set)).to.include({ code: 0 })
      const { verificationId } = (await tenantClient(other, own).start()).body
      await redis.server.kill()
      const service = await launch({ REDIS_URL: redis.url, ...webhooks })
      await service.up()
      await service.says(/"level":"warn".*"Waiting for Redis: [^"]*ECONNREFUSED/)
      expect(await timelyReadiness(service)).to.deep.include({ status: 503, redis: 'down' })
      expect(await timelyReadiness(service, '/callbacks')).to.deep.equal({ status: 200, database: 'up' })
      expect(await dependencyUp(service, 'redis')).to.equal('0')
      expectError(await tenantClient(service, own).status(verificationId), 'REDIS_ERROR')
      const at = { ...other, baseUrl: service.baseUrl } as TestService
      const decision = decisionOn(await sessionOf(other, verificationId), 'approved')
      expect((await sendCallback(at, decision)).status).to.equal(200)
      await eventually(() => receiver.bodies.length === 1)
      expect(JSON.parse(receiver.bodies[0]!).data).to.include({ verificationId, status: 'approved' })
      await redis.server.restart()
      await untilReady(service)
      const { body } = await tenantClient(service, own).status(verificationId)
      expect(body.status).to.equal('approved')
      await service.says(/"Redis is available"/)
      await eventually(async () => (await dependencyUp(service, 'redis')) === '1')
      await receiver.close()
    })

    it('that finds an unsuitable Redis only when it is back serves on without it, until that has changed', async () => {
      const redisNetwork = await TcpProxy.open(redis.server.port)
      redisNetwork.set('refused')
      await redis.server.send('REPLICAOF', '127.0.0.1', '1')
      const service = await launch({ REDIS_URL: `redis://127.0.0.1:${redisNetwork.port}` })
      await service.up()
      redisNetwork.set('open')
      await eventually(async () => (await readiness(service)).redis === 'down')
      expect(await timelyReadiness(service, '/callbacks')).to.deep.equal({ status: 200, database: 'up' })
      await redis.server.send('REPLICAOF', 'NO', 'ONE')
      await untilReady(service)
      await redisNetwork.close()
    })

    it('stops at a Redis that rejects the password', async () => {
      await redis.server.send('CONFIG', 'SET', 'requirepass', 'hush')
      const service = await launch({ REDIS_URL: redis.url })
      const { code, out, err } = await service.ended
      expect([code, err]).to.deep.equal([1, ''])
      expect(fatalMessages(out)).to.have.length(1)
      expect(fatalMessages(out)[0]).to.match(/^REDIS_URL: Redis (cannot be used|rejects writes): NOAUTH/)
    })
  })
})
