import type { Socket } from 'node:net'
import { expect } from 'chai'
import { definePlan } from '#domain/plan/define-plan.ts'
import { createApp } from '#server/app.ts'
import { type Listening, listen } from '#server/http/listen.ts'
import { createLoadShedder, type LoadShedder } from '#server/overload/load-shedder.ts'
import { shedLoad } from '#server/overload/shed-load.ts'
import { eventually } from '#test/support/eventually.ts'
import { connectTo } from '#test/support/raw-http.ts'
import { call, tenantClient } from '#test/support/tenant-client.ts'
import { createTestTenant, type TestService, type TestTenant } from '#test/support/test-service.ts'
import { useService } from '#test/support/use-service.ts'

/** More than a process serves at the same time without an overload. */
const requestCount = 210

describe('Requests that wait for somebody else', () => {
  const service = useService()
  let serving: TestService
  let listening: Listening
  let shedder: LoadShedder
  let tenant: TestTenant
  const sockets: Socket[] = []
  before('serve with load shedding', async () => {
    const { services } = service
    shedder = createLoadShedder(services)
    const handle = shedLoad(createApp(services).callback(), shedder, services.config.baseUrl)
    listening = await listen(handle, { host: '127.0.0.1', port: 0 })
    serving = { ...service, baseUrl: `http://127.0.0.1:${listening.port}` }
    await definePlan(service.operator(), { name: 'busy', rateLimitPerMinute: 10_000 })
    tenant = await createTestTenant(service, { plan: 'busy' })
  })
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
  })
  after('stop serving', async () => {
    await listening.drain()
    shedder.close()
  })

  const idle = () => service.services.idleRequests.count

  async function expectServed(): Promise<void> {
    const { status } = await tenantClient(serving, tenant).status('01a00000-0000-7000-8000-000000000000')
    expect(status).to.equal(404)
  }

  it('are no load while their bodies have not arrived', async () => {
    for (let count = 0; count < requestCount; count++) sockets.push(await withheldBody())
    await eventually(() => idle() === requestCount)
    await expectServed()
    for (const socket of sockets.splice(0)) socket.destroy()
    await eventually(() => idle() === 0)
  })

  it('are no load while the provider does not respond', async () => {
    const setMode = (createSession: string) =>
      call(`${service.veriffUrl}/control/mode`, { method: 'PUT', json: { createSession } })
    await setMode('hang')
    for (let count = 0; count < requestCount; count++) sockets.push(await request('/verify/start', '{}', 2))
    await eventually(() => idle() === requestCount)
    await expectServed()
    for (const socket of sockets.splice(0)) socket.destroy()
    await eventually(() => idle() === 0)
    await setMode('ok')
  })

  const withheldBody = () => request('/tokens/validate', '{', 20)

  async function request(path: string, body: string, length: number): Promise<Socket> {
    const socket = await connectTo(serving.baseUrl)
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: a',
      `x-tenant-api-key: ${tenant.apiKey}`,
      'Content-Type: application/json',
      `Content-Length: ${length}`,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
    return socket
  }
})
