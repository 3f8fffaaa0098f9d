import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { expectError } from '#test/support/expect-error.ts'
import { decisionOn, sendCallback, sessionOf } from '#test/support/provider-callback.ts'
import { describeWithRedis, startTestRedis, type TestRedis } from '#test/support/redis.ts'
import { type ApiResponse, call, tenantClient } from '#test/support/tenant-client.ts'
import {
  createTestTenant,
  startTestService,
  type TestService,
  type TestTenant,
} from '#test/support/test-service.ts'

const answerMsMax = 3_000

describeWithRedis('While Redis is away', () => {
  let redis: TestRedis
  let service: TestService
  let tenant: TestTenant
  let restarted: ChildProcess | undefined
  beforeEach(async function () {
    redis = await startTestRedis()
    // One that is not ours is not ours to stop.
    if (!redis.process) this.skip()
    service = await startTestService({ redisUrl: redis.url })
    tenant = await createTestTenant(service)
  })
  afterEach(async () => {
    await service?.close()
    redis.process?.kill('SIGCONT')
    await redis.close()
    if (restarted) {
      const ended = once(restarted, 'exit')
      restarted.kill('SIGKILL')
      await ended
      restarted = undefined
    }
  })

  function fiveRoutes(verificationId: string): Promise<ApiResponse>[] {
    const client = tenantClient(service, tenant)
    return [
      client.start(),
      client.status(verificationId),
      client.submit(verificationId),
      client.send('/verify/complete', { method: 'POST' }),
      client.validate('x'),
    ]
  }

  async function expectAway(verificationId: string): Promise<void> {
    const begun = performance.now()
    for (const answer of await Promise.all(fiveRoutes(verificationId))) {
      expectError(answer, 'REDIS_ERROR')
      expect(answer.headers.has('x-ratelimit-limit')).to.equal(false)
    }
    expect(performance.now() - begun).to.be.below(answerMsMax)
  }

  async function expectCallbacksGoOn(verificationId: string): Promise<void> {
    const decision = decisionOn(await sessionOf(service, verificationId), 'approved')
    const begun = performance.now()
    expect((await sendCallback(service, decision)).status).to.equal(200)
    expect(performance.now() - begun).to.be.below(answerMsMax)
  }

  async function expectNotReady(): Promise<void> {
    const { status, body } = await call(`${service.baseUrl}/health/ready`)
    expect(status).to.equal(503)
    expect(body.dependencies).to.deep.equal({ database: 'up', redis: 'down' })
    expect((await call(`${service.baseUrl}/health/live`)).status).to.equal(200)
  }

  /** Asks again and again; fails by the test's own timeout. */
  async function comesBack(): Promise<void> {
    while ((await tenantClient(service, tenant).validate('x')).status !== 200);
  }

  const begun = async (): Promise<string> => (await tenantClient(service, tenant).start()).body.verificationId

  it('killed: the five routes say so at once, callbacks go on, and all is well when it is back', async () => {
    const verificationId = await begun()
    await redis.close()
    await expectAway(verificationId)
    await expectCallbacksGoOn(verificationId)
    await expectNotReady()
    restarted = await startAgain(redis.url)
    await comesBack()
    const { body } = await tenantClient(service, tenant).status(verificationId)
    expect(body.status).to.equal('approved')
    expect((await call(`${service.baseUrl}/health/ready`)).status).to.equal(200)
  })

  it('frozen: the five routes say so within 3 s, callbacks go on, and all is well when it thaws', async () => {
    const verificationId = await begun()
    redis.process?.kill('SIGSTOP')
    await expectAway(verificationId)
    await expectAway(verificationId)
    await expectCallbacksGoOn(verificationId)
    await expectNotReady()
    redis.process?.kill('SIGCONT')
    await comesBack()
    const { body } = await tenantClient(service, tenant).status(verificationId)
    expect(body.status).to.equal('approved')
  })

  it('an unknown key is not let in, nor told that it is unknown', async () => {
    await redis.close()
    const stranger = await tenantClient(service, { apiKey: 'avk_mistyped' }).validate('x')
    expectError(stranger, 'UNAUTHENTICATED_TENANT')
    expectError(await tenantClient(service, tenant).validate('x'), 'REDIS_ERROR')
  })

  it('nothing is stored and no quota is used', async () => {
    await redis.close()
    expectError(await tenantClient(service, tenant).start(), 'REDIS_ERROR')
    const { rows } = await service.services.database.pool.query({
      ...{ name: '', text: 'select * from usage_month where tenant_id = $1', values: [tenant.tenantId] },
    })
    expect(rows).to.deep.equal([])
  })
})

/** An empty Redis at the same address. */
async function startAgain(url: string): Promise<ChildProcess> {
  const { port } = new URL(url)
  const server = spawn('redis-server', ['--port', port, '--bind', '127.0.0.1', '--save', ''], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  for await (const line of server.stdout!) if (String(line).includes('Ready to accept')) break
  return server
}
