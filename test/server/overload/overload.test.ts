import { expect } from 'chai'
import { createApp } from '#server/app.ts'
import { listen } from '#server/http/listen.ts'
import { createLoadShedder } from '#server/overload/load-shedder.ts'
import { shedLoad } from '#server/overload/shed-load.ts'
import { createTestDatabase } from '#test/support/database.ts'
import { eventually } from '#test/support/eventually.ts'
import { expectError } from '#test/support/expect-error.ts'
import { decisionOn, sendCallback, sessionOf } from '#test/support/provider-callback.ts'
import { connectTo, readResponse } from '#test/support/raw-http.ts'
import { type ApiResponse, call, tenantClient } from '#test/support/tenant-client.ts'
import type { TestService } from '#test/support/test-service.ts'
import { useOpened } from '#test/support/use-opened.ts'
import { useService, useTenant } from '#test/support/use-service.ts'
import { captureLog } from '../captured-log.ts'

const poolSize = 2
/** As many as the service always serves at the same time. */
const concurrentRequests = 40
/** More than a pool of this size should have: all further requests are rejected. */
const waitingStatements = 16

describe('An overloaded service', () => {
  const captured = captureLog()
  const database = useOpened(createTestDatabase)
  const service = useService(() => ({
    // An overload may take longer than the default, after which the pool rejects what waits.
    databaseUrl: `${database.url}?connect_timeout=60`,
    env: { DATABASE_POOL_SIZE: String(poolSize) },
    log: captured.log,
  }))
  const tenant = useTenant(service)
  let overloaded: TestService
  let stop: (() => Promise<void>) | undefined
  let end: (() => Promise<void>) | undefined
  let arrived = 0

  before('serve with load shedding', async () => {
    const { services } = service
    const { baseUrl } = services.config
    const shedder = createLoadShedder(services)
    const handle = shedLoad(createApp(services).callback(), shedder, baseUrl)
    const count: typeof handle = (request, response) => {
      arrived += 1
      handle(request, response)
    }
    const { port, drain } = await listen(count, { host: '127.0.0.1', port: 0 })
    overloaded = { ...service, baseUrl: `http://127.0.0.1:${port}` }
    stop = async () => {
      await drain()
      shedder.close()
    }
  })
  after('stop serving', () => stop?.())

  /** Occupies the connections of the pool, so that requests pile up until it is ended. */
  async function overload(): Promise<void> {
    const { pool } = service.services.database
    const held = await Promise.all(Array.from({ length: poolSize }, () => pool.connect()))
    // Look-ups that arrive together wait as one.
    const waiting = Promise.all(
      Array.from({ length: waitingStatements }, async () => (await pool.connect()).release()),
    )
    arrived = 0
    const admitted = Array.from({ length: concurrentRequests }, () => status())
    end = async () => {
      end = undefined
      for (const connection of held) connection.release()
      await waiting
      for (const { status } of await Promise.all(admitted)) expect(status).to.equal(404)
    }
    await eventually(() => arrived >= concurrentRequests)
    expectError(await status(), 'INTERNAL_ERROR')
    await eventually(isOverloaded)
  }

  afterEach('end the overload', () => end?.())

  function status(): Promise<ApiResponse> {
    return tenantClient(overloaded, tenant).status('01a00000-0000-7000-8000-000000000000')
  }

  async function metric(name: string): Promise<number> {
    const { values } = await service.services.registry.getSingleMetric(name)!.get()
    return values[0]!.value
  }

  async function isOverloaded(): Promise<boolean> {
    return (await metric('age_verification_http_overloaded')) === 1
  }

  async function recovered(): Promise<void> {
    await end?.()
    await eventually(isOverloaded, { until: overloaded => !overloaded })
  }

  it('rejects tenants’ requests with INTERNAL_ERROR, the reason and Retry-After, and counts them', async () => {
    await overload()
    const response = await tenantClient(overloaded, tenant).start()
    expectError(response, 'INTERNAL_ERROR')
    expect(response.body.details).to.deep.equal({ reason: 'overloaded', retryAfterSeconds: 2 })
    expect(response.headers.get('retry-after')).to.equal('2')
    expect(response.headers.get('cache-control')).to.equal('no-store')
    expect(response.headers.get('x-request-id')).to.equal(response.body.requestId)
    expect(await metric('age_verification_http_requests_shed_total')).to.be.above(0)
    await recovered()
  })

  it('does so before the body arrives, and the connection stays usable', async () => {
    await overload()
    const head = [
      'POST /tokens/validate HTTP/1.1',
      'Host: a',
      `x-tenant-api-key: ${tenant.apiKey}`,
      'Content-Type: application/json',
      'Content-Length: 2',
    ]
    const socket = await connectTo(overloaded.baseUrl)
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    expectError(await readResponse(socket), 'INTERNAL_ERROR')
    socket.write('{}GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n')
    expect((await readResponse(socket)).status).to.equal(200)
    socket.destroy()
    await recovered()
  })

  it('serves the provider’s callbacks, health and the public keys', async () => {
    const { body: started } = await tenantClient(overloaded, tenant).start()
    const session = await sessionOf(service, started.verificationId)
    await overload()
    const live = Array.from({ length: 20 }, () => call(`${overloaded.baseUrl}/health/live`))
    for (const { status } of await Promise.all(live)) expect(status).to.equal(200)
    const callbacks = Array.from({ length: 10 }, () =>
      sendCallback(overloaded, decisionOn(session, 'approved')),
    )
    await recovered()
    for (const { status } of await Promise.all(callbacks)) expect(status).to.equal(200)
    const { body } = await tenantClient(overloaded, tenant).status(started.verificationId)
    expect(body.status).to.equal('approved')
  })

  it('serves all requests again afterwards, and logs when the overload began and how many it rejected', async () => {
    await overload()
    await tenantClient(overloaded, tenant).start()
    await recovered()
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => tenantClient(overloaded, tenant).start()),
    )
    expect(responses.map(({ status }) => status)).to.deep.equal(Array.from({ length: 20 }, () => 201))
    const messages = captured.lines().map(({ msg }) => msg)
    expect(messages).to.include('Overloaded: rejecting part of the requests')
    const ended = captured.lines().find(({ msg }) => msg === 'Overload ended; all requests are served again')
    expect(ended?.rejected).to.be.above(0)
  })
})
