import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import pg from 'pg'
import { tenantOf } from '#test/faults/service/demo-tenant.ts'
import { operate } from '#test/faults/service/operate.ts'
import { serviceFixture } from '#test/faults/service/service-fixture.ts'
import { root, type ServiceProcess, untilNone } from '#test/faults/service/service-process.ts'
import { createTestDatabase } from '#test/support/database.ts'

describe('A graceful shutdown', function () {
  this.timeout(120_000)
  const fixture = serviceFixture()

  async function expectGracefulShutdown(service: ServiceProcess, shutDown: () => unknown): Promise<void> {
    await shutDown()
    const { code, signal, err } = await service.ended
    await untilNone(service.dataFolder)
    expect({ signal, err: err.replace(/^npm .*\n/gm, '') }).to.deep.equal({ signal: null, err: '' })
    // A shutdown that takes longer than its deadline of 9.5 s ends with code 1.
    expect(code).to.equal(0)
  }

  it('starts on SIGINT, even if it is sent twice', async () => {
    const service = await fixture.start()
    await expectGracefulShutdown(service, () => {
      service.signal('SIGINT')
      service.signal('SIGINT')
    })
  })

  const npmStart = { command: ['npm', 'start'], cwd: root }

  it('starts on SIGTERM to npm', async () => {
    const service = await fixture.start(npmStart)
    await expectGracefulShutdown(service, () => service.signal('SIGTERM'))
  })

  it('starts on Ctrl-C, which reaches npm and the service', async () => {
    const service = await fixture.start(npmStart)
    await expectGracefulShutdown(service, () => service.signalGroup('SIGINT'))
  })

  it('starts on SIGTERM while the service is still starting', async () => {
    const service = await fixture.launch()
    await service.says(/Starting PostgreSQL/)
    await expectGracefulShutdown(service, () => service.signal('SIGTERM'))
  })

  it('starts on SIGTERM, waits for a request in flight, whose result is stored, and leaves no process behind', async () => {
    await using closing = new AsyncDisposableStack()
    const provider = await startPendingProvider()
    closing.defer(() => void provider.close())
    const database = await createTestDatabase()
    closing.defer(() => database.close())
    const env = {
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      VERIFF_BASE_URL: provider.url,
      VERIFF_API_KEY: randomUUID(),
      VERIFF_SHARED_SECRET: randomUUID(),
      OIDC_ISSUER: 'https://sign-in.example',
      OIDC_AUDIENCE: 'console',
    }
    const service = await fixture.start({ name: 'pending', env })
    const { tenantId } = await operate(service, 'tenant', 'create', '--name', 'Shop')
    const { apiKey } = await operate(service, 'key', 'create', '--tenant', tenantId)
    const started = tenantOf(service, apiKey).start()
    const response = await provider.requested
    await expectGracefulShutdown(service, async () => {
      service.signal('SIGTERM')
      await service.says(/Shutting down: draining in-flight requests/)
      response.end(JSON.stringify({ verification: { id: randomUUID(), url: 'https://example.com/session' } }))
    })
    const { status, body } = await started
    expect(status).to.equal(201)
    expect(await statusesIn(database.url)).to.deep.equal([{ id: body.verificationId, status: 'pending' }])
  })
})

async function statusesIn(databaseUrl: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query('select id, status from verification')
  await client.end()
  return rows
}

/** A provider that has not responded yet: `requested` is its first response, which the test completes. */
async function startPendingProvider() {
  const requested = Promise.withResolvers<ServerResponse>()
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(201, { 'content-type': 'application/json' })
    requested.resolve(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requested: requested.promise, close: () => server.close() }
}
