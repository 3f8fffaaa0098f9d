import { once } from 'node:events'
import { expect } from 'chai'
import { eventually } from '../../harness/eventually.ts'
import { expectError } from '../../harness/expect-error.ts'
import { metricOf } from '../../harness/metrics.ts'
import { decisionOn, sendCallback, sessionOf } from '../../harness/provider-callback.ts'
import { connectTo } from '../../harness/raw-http.ts'
import { type ApiResponse, call, tenantClient } from '../../harness/tenant-client.ts'
import { useService, useTenant } from '../../harness/use-service.ts'

const unknownId = '01a00000-0000-7000-8000-000000000000'

describe('A process that works on all the requests that it can', () => {
  const service = useService({ env: { MAX_CONCURRENT_REQUESTS: '2', DATABASE_POOL_SIZE: '2' } })
  const tenant = useTenant(service)
  let end: (() => Promise<void>) | undefined
  before('have the tenant use its key', async () => {
    expect((await status()).status).to.equal(404)
  })
  afterEach(() => end?.())

  const status = (): Promise<ApiResponse> => tenantClient(service, tenant).status(unknownId)
  const counts = () => service.services.concurrency.counts()
  /** The beginning of a request with the tenant's key. */
  const beginRequest = (target: string) =>
    `${target} HTTP/1.1\r\nHost: a\r\nx-tenant-api-key: ${tenant.apiKey}\r\n`

  /** Occupies the connections to PostgreSQL, so that requests keep their places until it is ended. */
  async function occupy(): Promise<void> {
    const { pool } = service.services.database
    const held = await Promise.all([pool.connect(), pool.connect()])
    const working = [status(), status()]
    end = async () => {
      end = undefined
      for (const connection of held) connection.release()
      for (const { status } of await Promise.all(working)) expect(status).to.equal(404)
    }
    await eventually(() => counts().working === 2)
  }

  it('rejects what waited for two seconds with INTERNAL_ERROR, the reason and Retry-After, and counts it', async () => {
    await occupy()
    const response = await tenantClient(service, tenant).start()
    expectError(response, 'INTERNAL_ERROR')
    expect(response.body.details).to.deep.equal({ reason: 'overloaded', retryAfterSeconds: 2 })
    expect(response.headers.get('retry-after')).to.equal('2')
    expect(response.headers.get('cache-control')).to.equal('no-store')
    expect(response.headers.get('x-request-id')).to.equal(response.body.requestId)
    await end?.()
    const { registry } = service.services
    expect(await metricOf(registry, 'age_verification_http_requests_shed_total')).to.be.above(0)
  })

  it('has places of their own for the provider’s callbacks, and needs none for health', async () => {
    const { body: started } = await tenantClient(service, tenant).start()
    const session = await sessionOf(service, started.verificationId)
    await occupy()
    expect((await call(`${service.baseUrl}/health/live`)).status).to.equal(200)
    const callback = sendCallback(service, decisionOn(session, 'approved'))
    await eventually(() => counts().working === 3)
    await end?.()
    expect((await callback).status).to.equal(200)
    const { body } = await tenantClient(service, tenant).status(started.verificationId)
    expect(body.status).to.equal('approved')
  })

  it('works on nothing for a client that has left the queue', async () => {
    await occupy()
    const socket = await connectTo(service.baseUrl)
    socket.write(`${beginRequest('POST /verify/start')}Content-Length: 0\r\n\r\n`)
    await eventually(() => counts().queued === 1)
    const { counter } = service.services
    const counted: string[] = []
    const { count } = counter
    counter.count = (bucket, now) => {
      counted.push(bucket)
      return count(bucket, now)
    }
    await once(socket.destroy(), 'close')
    await eventually(async () => (await call(`${service.baseUrl}/health/live`)).status === 200)
    await end?.()
    await eventually(() => counts().working + counts().queued === 0)
    counter.count = count
    expect(counted.filter(bucket => bucket.endsWith(':write'))).to.deep.equal([])
  })
})

describe('The places of callbacks', () => {
  const service = useService({ env: { MAX_CONCURRENT_REQUESTS: '1', DATABASE_POOL_SIZE: '2' } })

  it('are for authentic ones first, from whatever address, while a forged one waits', async () => {
    const { pool } = service.services.database
    const { counts } = service.services.concurrency
    const held = await Promise.all([pool.connect(), pool.connect()])
    const decision = { id: 'a', code: 7001, vendorData: unknownId }
    const ended: string[] = []
    const send = async (name: string, headers?: Record<string, string>) => {
      const { status } = await sendCallback(service, decision, headers ? { headers } : {})
      ended.push(`${name} ${status}`)
    }
    const forged = { 'x-auth-client': service.veriff.apiKey, 'x-hmac-signature': '0'.repeat(64) }
    const sent = [send('first')]
    await eventually(() => counts().working === 1)
    // They arrive in this order, and wait for two seconds at most.
    sent.push(send('forged', forged), send('second'))
    await eventually(() => counts().queued === 2)
    for (const connection of held) connection.release()
    await Promise.all(sent)
    expect(ended).to.deep.equal(['first 200', 'second 200', 'forged 403'])
  })
})
