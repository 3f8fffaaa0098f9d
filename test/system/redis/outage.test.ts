import { expect } from 'chai'
import { describeWithRedis, startTestRedis } from '../../harness/engines/redis.ts'
import { eventually } from '../../harness/eventually.ts'
import { expectError } from '../../harness/expect-error.ts'
import { metricOf } from '../../harness/metrics.ts'
import { decisionOn, sendCallback, sessionOf } from '../../harness/provider-callback.ts'
import { scaledTimeout } from '../../harness/scaled-timeout.ts'
import { type ApiResponse, call, tenantClient } from '../../harness/tenant-client.ts'
import { startTestService } from '../../harness/test-service.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { useNewTenant } from '../../harness/use-service.ts'

/** A command waits for Redis for 2 s, and is not repeated. */
const responseMsMax = 8_000

describeWithRedis('While Redis is unavailable', () => {
  const redis = useOpened(startTestRedis, 'test')
  const service = useOpened(() => startTestService({ redisUrl: redis.url }), 'test')
  const tenant = useNewTenant(service)

  function callTenantRoutes(verificationId: string): Promise<ApiResponse>[] {
    const client = tenantClient(service, tenant)
    return [
      client.start(),
      client.status(verificationId),
      client.submit(verificationId),
      client.send('/verify/complete', { method: 'POST' }),
      client.validate('x'),
    ]
  }

  /** Expects that the work sends so many commands to Redis, which fail, and is soon done. */
  async function expectFailedCommands(count: number, work: () => Promise<void>): Promise<void> {
    const name = 'age_verification_redis_command_duration_seconds_count'
    const failed = () => metricOf(service.services.registry, name, { result: 'error' })
    const [before, startedAt] = [await failed(), performance.now()]
    await work()
    expect(performance.now() - startedAt).to.be.below(scaledTimeout(responseMsMax))
    expect((await failed()) - before).to.equal(count)
  }

  async function expectRedisErrors(verificationId: string): Promise<void> {
    await expectFailedCommands(5, async () => {
      for (const response of await Promise.all(callTenantRoutes(verificationId))) {
        expectError(response, 'REDIS_ERROR')
        expect(response.headers.has('x-ratelimit-limit')).to.equal(false)
      }
    })
  }

  async function expectCallbackAccepted(verificationId: string): Promise<void> {
    const decision = decisionOn(await sessionOf(service, verificationId), 'approved')
    await expectFailedCommands(0, async () => {
      expect((await sendCallback(service, decision)).status).to.equal(200)
    })
  }

  async function expectNotReady(): Promise<void> {
    const { status, body } = await probe('', ({ body }) => body.dependencies.database === 'up')
    expect(status).to.equal(503)
    expect(body.dependencies).to.deep.equal({ database: 'up', redis: 'down' })
    await probe('/callbacks')
    expect((await call(`${service.baseUrl}/health/live`)).status).to.equal(200)
  }

  /** Repeats it until it is as expected, as a busy machine may miss the time in which the database is probed. */
  const probe = (path = '', until = ({ status }: ApiResponse) => status === 200) =>
    eventually(() => call(`${service.baseUrl}/health/ready${path}`), { until })

  /** Retries until a request succeeds; fails by the test's timeout. */
  async function recovers(): Promise<void> {
    while ((await tenantClient(service, tenant).validate('x')).status !== 200);
  }

  for (const [state, end, recover] of [
    ['is gone', () => redis.server.kill(), () => redis.server.restart()],
    ['is frozen', () => redis.server.process.kill('SIGSTOP'), () => redis.server.process.kill('SIGCONT')],
  ] as const) {
    it(`and ${state}, the tenant routes return REDIS_ERROR after one wait, callbacks are accepted, and all recovers with it`, async () => {
      const { verificationId } = (await tenantClient(service, tenant).start()).body
      await end()
      await expectRedisErrors(verificationId)
      await expectRedisErrors(verificationId)
      await expectCallbackAccepted(verificationId)
      await expectNotReady()
      await recover()
      await recovers()
      const { body } = await tenantClient(service, tenant).status(verificationId)
      expect(body.status).to.equal('approved')
      await probe()
    })
  }

  it('and is frozen, steady traffic gets REDIS_ERROR too', async () => {
    const { validate } = tenantClient(service, tenant)
    await validate('x')
    redis.server.process.kill('SIGSTOP')
    const requests: Promise<ApiResponse>[] = []
    // Each request writes to the connection, which must not make it look alive.
    const timer = setInterval(() => requests.push(validate('x')), 100)
    try {
      await eventually(() => requests.length >= 20)
      expectError(await requests[0]!, 'REDIS_ERROR')
    } finally {
      clearInterval(timer)
      redis.server.process.kill('SIGCONT')
    }
    await Promise.all(requests)
  })

  it('a malformed key gets 401, and a valid one REDIS_ERROR, which stores nothing and uses no quota', async () => {
    await redis.close()
    const malformed = await tenantClient(service, { apiKey: 'avk_mistyped' }).validate('x')
    expectError(malformed, 'UNAUTHENTICATED_TENANT')
    expectError(await tenantClient(service, tenant).start(), 'REDIS_ERROR')
    const { rows } = await service.services.database.pool.query({
      name: '',
      text: 'select * from usage_month where tenant_id = $1',
      values: [tenant.tenantId],
    })
    expect(rows).to.deep.equal([])
  })
})
