import { expect } from 'chai'
import Koa from 'koa'
import { refusalProbe, serverRoleQuery } from '#domain/postgres/index.ts'
import { createApp } from '#server/app.ts'
import { createHealth, type DependencyState } from '#server/http/health.ts'
import { listen } from '#server/http/listen.ts'
import { eventually } from '../harness/eventually.ts'
import { connectTo, readResponse } from '../harness/raw-http.ts'
import { statementsDuring } from '../harness/statements-during.ts'
import { call } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'

/** A dependency is down as long as its answers take more than 800 ms. */
async function expectReady(url: string, dependencies: object): Promise<void> {
  await eventually(async () => {
    const { status, body } = await call(url)
    expect([status, body]).to.deep.equal([200, { status: 'ok', dependencies }])
  })
}

describe('GET /health/live and /health/ready', () => {
  const service = useService()

  it('send each statement once a second at most, however many requests there are', async () => {
    await call(`${service.baseUrl}/health/ready`)
    const startedAt = performance.now()
    const sent = await statementsDuring(async () => {
      for (let round = 0; round < 5; round++) {
        const ready = (path: string) => call(`${service.baseUrl}/health/ready${path}`)
        await Promise.all(Array.from({ length: 20 }, () => ['', '/callbacks'].map(ready)).flat())
      }
    })
    const seconds = Math.ceil((performance.now() - startedAt) / 1_000)
    for (const probe of [serverRoleQuery, refusalProbe]) {
      expect(sent.filter(text => text === probe).length).to.be.at.most(seconds + 1)
    }
  })

  it('return 200 and the state of each dependency, without credentials', async () => {
    const live = await call(`${service.baseUrl}/health/live`)
    expect([live.status, live.body]).to.deep.equal([200, { status: 'ok' }])
    await expectReady(`${service.baseUrl}/health/ready`, { database: 'up' })
  })

  it('return 503 (ready) and 200 (live) during a shutdown, so that no new requests are routed here', async () => {
    const health = createHealth(service.services, { isDraining: () => true })
    const app = createApp(service.services, { health })
    const draining = await listen(app.callback(), { host: '127.0.0.1', port: 0 })
    try {
      for (const path of ['/health/ready', '/health/ready/callbacks']) {
        const ready = await call(`http://127.0.0.1:${draining.port}${path}`)
        expect([ready.status, ready.body.status]).to.deep.equal([503, 'draining'])
      }
      expect((await call(`http://127.0.0.1:${draining.port}/health/live`)).status).to.equal(200)
    } finally {
      await draining.drain()
    }
  })

  it('say whether the sign-in provider and a worker are known to be there, which makes no process unready', async () => {
    const known: { worker: DependencyState | undefined } = { worker: undefined }
    const informative = { signInProvider: () => undefined, worker: () => known.worker }
    const { routes } = createHealth(service.services, { informative })
    const process = await listen(new Koa().use(routes).callback(), { host: '127.0.0.1', port: 0 })
    const url = `http://127.0.0.1:${process.port}/health/ready`
    try {
      await expectReady(url, { database: 'up' })
      for (const worker of ['down', 'up'] as const) {
        known.worker = worker
        await expectReady(url, { database: 'up', worker })
        await expectReady(`${url}/callbacks`, { database: 'up' })
      }
    } finally {
      await process.drain()
    }
  })
})

describe('A server that is about to drain', () => {
  const service = useService()
  const tenant = useTenant(service)

  it('ends each connection with its next response, also those in flight, and serves further ones', async () => {
    const arrived = Promise.withResolvers<void>()
    const mayRespond = Promise.withResolvers<void>()
    const app = createApp(service.services).callback()
    const listening = await listen(
      async (request, response) => {
        if (request.url === '/health/live') {
          arrived.resolve()
          await mayRespond.promise
        }
        await app(request, response)
      },
      { host: '127.0.0.1', port: 0 },
    )
    const baseUrl = `http://127.0.0.1:${listening.port}`
    const validate = `POST /tokens/validate HTTP/1.1\r\nhost: a\r\nx-tenant-api-key: ${tenant.apiKey}\r\ncontent-type: application/json\r\ncontent-length: 13\r\n\r\n{"token":"x"}`
    const [idle, busy] = [await connectTo(baseUrl), await connectTo(baseUrl)]
    try {
      idle.write(validate)
      expect((await readResponse(idle)).headers.get('connection')).to.equal('keep-alive')
      busy.write('GET /health/live HTTP/1.1\r\nhost: a\r\n\r\n')
      await arrived.promise
      listening.endConnections()
      mayRespond.resolve()
      expect((await readResponse(busy, true)).headers.get('connection')).to.equal('close')
      idle.write(validate)
      const last = await readResponse(idle, true)
      expect([last.status, last.headers.get('connection')]).to.deep.equal([200, 'close'])
      expect((await call(`${baseUrl}/health/live`)).status).to.equal(200)
    } finally {
      idle.destroy()
      busy.destroy()
      await listening.drain()
    }
  })
})
