import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { startVeriffSimulator } from '#development/veriff-simulator/start-veriff-simulator.ts'
import { operate } from '#test/faults/service/operate.ts'
import { serviceFixture } from '#test/faults/service/service-fixture.ts'
import type { ServiceProcess } from '#test/faults/service/service-process.ts'
import { createTestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { describeWithRedis, startTestRedis } from '../../harness/redis.ts'
import { type BalancedClient, createBalancedClient } from './balanced-client.ts'

/** RESTART_REQUESTS=20000 restarts both processes again and again until so many requests were sent. */
const requestsMin = Number(process.env.RESTART_REQUESTS ?? 1)
const clients = 8
/** The average pause of a client between two requests. */
const pauseMs = 8
/** One start for so many requests. */
const requestsPerStart = 10

describeWithRedis('A rolling restart of two API processes behind a load balancer', function () {
  this.timeout(requestsMin > 1 ? 600_000 : 120_000)
  const fixture = serviceFixture()
  const closing = new AsyncDisposableStack()
  const services = new Map<string, ServiceProcess>()
  let env: Record<string, string>
  let headers: Record<string, string>
  let balanced: BalancedClient
  before(async () => {
    const database = await createTestDatabase()
    closing.defer(() => database.close())
    const redis = await startTestRedis()
    closing.defer(() => redis.close())
    const veriff = { apiKey: randomUUID(), sharedSecrets: [randomUUID()] }
    const simulator = await startVeriffSimulator({
      ...veriff,
      host: '127.0.0.1',
      port: 0,
      webhookUrl: 'http://127.0.0.1:9/verify/callback',
    })
    closing.defer(() => simulator.close())
    env = {
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      REDIS_URL: redis.url,
      VERIFF_BASE_URL: simulator.baseUrl,
      VERIFF_API_KEY: veriff.apiKey,
      VERIFF_SHARED_SECRET: veriff.sharedSecrets[0]!,
      OIDC_ISSUER: 'https://sign-in.example',
      OIDC_AUDIENCE: 'console',
      ROLE: 'api',
      SHUTDOWN_DELAY: '1',
      LOG_LEVEL: 'warn',
    }
    for (const name of ['one', 'two']) await start(name)
    const operator = services.get('one')!
    const limits = ['--rate-limit', '1000000', '--read-rate-limit', '1000000', '--monthly-quota', '1000000']
    await operate(operator, 'plan', 'set', '--name', 'large', ...limits, '--hard-limit', '1000000')
    const { tenantId } = await operate(operator, 'tenant', 'create', '--name', 'Shop', '--plan', 'large')
    const { apiKey } = await operate(operator, 'key', 'create', '--tenant', tenantId)
    headers = { 'x-tenant-api-key': apiKey }
    const baseUrls = [...services.values()].map(({ baseUrl }) => baseUrl)
    balanced = createBalancedClient(baseUrls)
    closing.defer(() => balanced.close())
    for (const baseUrl of baseUrls) await eventually(() => balanced.isReady(baseUrl))
  })
  after(() => closing.disposeAsync())

  async function start(name: string): Promise<void> {
    const service = await fixture.launch({ name, env })
    services.set(name, service)
    await eventually(async () => (await fetch(`${service.baseUrl}/health/ready`)).ok, { timeoutMs: 60_000 })
  }

  async function restart(name: string): Promise<void> {
    const service = services.get(name)!
    service.signal('SIGTERM')
    expect(await service.ended).to.include({ code: 0, err: '' })
    expect(balanced.isReady(service.baseUrl)).to.equal(false)
    await start(name)
    await eventually(() => balanced.isReady(service.baseUrl))
  }

  it('loses no request', async () => {
    const failures: unknown[] = []
    let sent = 0
    let isDone = false
    async function request(path: string, method: 'GET' | 'POST', expected: number): Promise<string> {
      sent += 1
      const options = { method, headers, ...(method === 'POST' ? { json: {} } : {}) }
      const response = await balanced.send(path, options).catch((error: Error) => error)
      if (response instanceof Error) failures.push(response.cause ?? response)
      else if (response.status !== expected) failures.push([response.status, response.body])
      return response instanceof Error ? '' : response.body.verificationId
    }
    const work = Array.from({ length: clients }, async () => {
      while (!isDone) {
        const id = await request('/verify/start', 'POST', 201)
        for (let count = 1; count < requestsPerStart; count++) {
          await request(`/verify/status?verificationId=${id}`, 'GET', 200)
          await wait(2 * pauseMs * Math.random())
        }
      }
    })
    let restarts = 0
    do {
      for (const name of services.keys()) await restart(name)
      restarts += services.size
    } while (sent < requestsMin)
    isDone = true
    await Promise.all(work)
    if (requestsMin > 1) console.log({ sent, restarts, lost: failures.length })
    expect(failures).to.deep.equal([])
    expect(sent).to.be.greaterThan(100)
  })
})
