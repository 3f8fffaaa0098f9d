import type { Router } from '@koa/router'
import { expect } from 'chai'
import { exports } from '#console-api/exports/exports.ts'
import { consoleRouter } from '#console-api/router.ts'
import { definePlan } from '#domain/tenant/define-plan.ts'
import { createApp } from '#server/app.ts'
import { docsRouter } from '#server/pages/docs/docs-router.ts'
import { practiceRouter } from '#server/pages/practice-statement/practice-router.ts'
import { startSignInProvider } from './console-api/sign-in-provider.ts'
import { eventually } from './harness/eventually.ts'
import { expectError } from './harness/expect-error.ts'
import { inWaves } from './harness/in-waves.ts'
import { connectTo, type RawResponse, readResponse } from './harness/raw-http.ts'
import { call, tenantClient } from './harness/tenant-client.ts'
import { createTestTenant } from './harness/test-service.ts'
import { useOpened } from './harness/use-opened.ts'
import { useService } from './harness/use-service.ts'

interface Route {
  method: string
  path: string
}

/** With a place for each request: it would wait for one for two seconds at most. */
const env = { TEST_TENANTS: 'true', MAX_CONCURRENT_REQUESTS: '1000' }

/** Of each kind of route that reads a body, the end of one. */
const readers = ['/verify/start', '/verify/callback', '/decide', '/console/tenant.update']

describe('Every route of the service, with a body', () => {
  const signIn = useOpened(() => startSignInProvider(() => new Date()))
  const service = useService(() => ({ issuer: signIn.issuer, env }))
  const routes: Route[] = []
  /** Of who may send a body, to each of them. */
  let credentials: string[]
  before('list the routes', async () => {
    await definePlan(service.operator(), { name: 'busy', rateLimitPerMinute: 9_999 })
    const tenant = await createTestTenant(service, { test: true, plan: 'busy' })
    const { body } = await tenantClient(service, tenant).start()
    const authorization = `Bearer ${await signIn.sign()}`
    const provision = { method: 'POST', headers: { authorization }, json: { name: 'Shop' } } as const
    expect((await call(`${service.baseUrl}/console/tenant.provision`, provision)).status).to.equal(200)
    credentials = [
      `x-tenant-api-key: ${tenant.apiKey}`,
      `x-auth-client: ${service.veriff.apiKey}`,
      `x-hmac-signature: ${'0'.repeat(64)}`,
      `Authorization: ${authorization}`,
    ]
    const { services, baseUrl } = service
    const routers = createApp(services).middleware.flatMap(step => (step as { router?: Router }).router ?? [])
    routers.push(await docsRouter(baseUrl, { testTenants: true }))
    routers.push(practiceRouter(baseUrl, () => services.scopeFor({ kind: 'service' })))
    const token = new URL(body.sessionUrl).pathname.split('/').at(-1)!
    const fill = (path: string) => path.replace(':token', token).replace(/:\w+/, body.verificationId)
    for (const { methods, path } of routers.flatMap(({ stack }) => stack)) {
      for (const method of methods.filter(each => each !== 'HEAD'))
        routes.push({ method, path: fill(String(path)) })
    }
    const procedures = consoleRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>
    for (const [path, { _def }] of Object.entries(procedures)) {
      routes.push({ method: _def.type === 'query' ? 'GET' : 'POST', path: `/console/${path}` })
    }
    for (const name of Object.keys(exports))
      routes.push({ method: 'GET', path: `/console/exports/${name}.csv` })
    for (const read of readers) expect(routes.filter(({ path }) => path.endsWith(read))).to.have.length(1)
  })
  afterEach('has all places back', () =>
    eventually(() => service.services.concurrency.counts(), {
      until: ({ working, queued, idle }) => working + queued + idle === 0,
    }),
  )

  /** Returns the response; undefined if the connection was closed without one. */
  async function send({ method, path }: Route, body: string, halfClose = false) {
    const socket = await connectTo(service.baseUrl)
    const type = path.startsWith('/test/sessions') ? 'application/x-www-form-urlencoded' : 'application/json'
    const head = [`${method} ${path} HTTP/1.1`, 'Host: a', `Content-Type: ${type}`, ...credentials]
    socket.write(`${head.join('\r\n')}\r\n${body}`)
    if (halfClose) socket.end()
    return await readResponse(socket, body === inParts)
      .catch(() => undefined)
      .finally(() => socket.destroy())
  }

  const begun = 'Content-Length: 20\r\n\r\n{'
  const inParts = `Transfer-Encoding: chunked\r\n\r\n${'1\r\n{\r\n'.repeat(2_000)}`

  /** Each route with the status of its answer, which must be none of a fault of the service. */
  function expectNoFault(answers: (RawResponse | undefined)[]): void {
    const named = routes.map((route, index) => ({ ...route, status: answers[index]?.status ?? 0 }))
    expect(named.filter(({ status }) => status >= 500)).to.deep.equal([])
  }

  /** Where a body is read, the answer says what is wrong with it, and is the last one of its connection. */
  function expectEnds(answers: (RawResponse | undefined)[]): void {
    for (const [index, { method, path }] of routes.entries()) {
      if (method !== 'POST' || !readers.some(each => path.endsWith(each))) continue
      const { status, headers } = answers[index]!
      expect([path, status, headers.get('connection')]).to.deep.equal([path, 400, 'close'])
    }
  }

  it('that is absent has an answer', async () => {
    const answers = await inWaves(routes.length, index => send(routes[index]!, '\r\n'))
    expect(answers).not.to.include(undefined)
    expectNoFault(answers)
  })

  it('that ends early has an answer or a closed connection', async () => {
    expectNoFault(await inWaves(routes.length, index => send(routes[index]!, begun, true)))
  })

  it('of one-byte chunks ends the connection, whether they are read or not', async () => {
    const answers = await inWaves(routes.length, index => send(routes[index]!, inParts))
    expectNoFault(answers)
    expectEnds(answers)
  })

  it('that is refused before it has arrived leaves its connection usable', async () => {
    const socket = await connectTo(service.baseUrl)
    for (const _ of ['first', 'second']) {
      socket.write('POST /verify/start HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n')
      expectError(await readResponse(socket), 'UNAUTHENTICATED_TENANT')
      socket.write('{}')
    }
    socket.destroy()
  })

  it('that is withheld has an answer or a closed connection, and no place until then', async () => {
    const sending = Promise.all(routes.map(route => send(route, begun)))
    await eventually(() => service.services.concurrency.counts(), {
      until: ({ working, queued, idle }) => working + queued === 0 && idle >= readers.length,
    })
    const answers = await sending
    expectNoFault(answers)
    expectEnds(answers)
  })
})
