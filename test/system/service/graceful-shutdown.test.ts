import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { newId } from '#domain/ids.ts'
import { tenantOf } from '#test/harness/processes/demo-tenant.ts'
import { operate } from '#test/harness/processes/operate.ts'
import { externalVariables, serviceFixture } from '#test/harness/processes/service-fixture.ts'
import { root, type ServiceProcess, untilNone } from '#test/harness/processes/service-process.ts'
import { createTestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { expectError } from '../../harness/expect-error.ts'
import { connectTo, readResponse } from '../../harness/raw-http.ts'
import { queryIn } from '../../server/query-in.ts'

describe('A graceful shutdown', () => {
  const fixture = serviceFixture()

  async function expectGracefulShutdown(service: ServiceProcess, shutDown: () => unknown): Promise<void> {
    await shutDown()
    const { code, signal, err } = await service.ended
    await untilNone(service.dataFolder)
    expect({ signal, err: err.replace(/^npm .*\n/gm, '') }).to.deep.equal({ signal: null, err: '' })
    // A shutdown that takes longer than its deadline of 9.5 s ends with code 1.
    expect(code).to.equal(0)
  }

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

  for (const signal of ['SIGHUP', 'SIGQUIT'] as const) {
    it(`starts on ${signal}, and on no signal of a program that rotates logs, which opens no debugger either`, async () => {
      const service = await fixture.start()
      for (const meaningless of meaninglessSignals) service.signal(meaningless)
      await eventually(() => service.isReady())
      // Node says there that a debugger listens.
      await expectGracefulShutdown(service, () => service.signal(signal))
      expect(service.out()).to.include('"msg":"Shutting down: draining in-flight requests"')
    })
  }

  /** A service whose provider has got a start and has not responded. */
  async function startPending(closing: AsyncDisposableStack, name: string) {
    const provider = await startPendingProvider()
    closing.defer(() => void provider.close())
    const database = await createTestDatabase()
    closing.defer(() => database.close())
    const veriff = { baseUrl: provider.url, apiKey: randomUUID(), sharedSecret: randomUUID() }
    const env = externalVariables(database.url, veriff)
    const service = await fixture.start({ name, env })
    const { tenantId } = await operate(service, 'tenant', 'create', '--name', 'Shop')
    const { apiKey } = await operate(service, 'key', 'create', '--tenant', tenantId)
    const tenant = tenantOf(service, apiKey)
    const started = tenant.start()
    return { service, database, tenant, apiKey, started, response: await provider.requested }
  }

  it('starts on SIGTERM, waits for a request in flight, whose result is stored, and leaves no process behind', async () => {
    await using closing = new AsyncDisposableStack()
    const { service, database, started, response } = await startPending(closing, 'pending')
    await expectGracefulShutdown(service, async () => {
      service.signal('SIGTERM')
      await service.says(/Shutting down: draining in-flight requests/)
      response.end(JSON.stringify({ verification: { id: randomUUID(), url: 'https://example.com/session' } }))
    })
    const { status, body } = await started
    expect(status).to.equal(201)
    expect(await statusesIn(database.url)).to.deep.equal([{ id: body.verificationId, status: 'pending' }])
  })

  it('answers a start that hangs at the provider, a request that hangs in the database, and one whose body never comes', async () => {
    await using closing = new AsyncDisposableStack()
    const { service, database, tenant, started, apiKey } = await startPending(closing, 'hanging')
    await queryIn(database.url, makeReadsHang)
    const read = tenant.status(newId(new Date()))
    const late = await connectTo(service.baseUrl)
    late.write(`POST /verify/submit HTTP/1.1\r\nHost: a\r\nx-tenant-api-key: ${apiKey}\r\n`)
    late.write('Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{')
    await eventually(async () => (await queryIn(database.url, findSleeping)).length > 0)
    await expectGracefulShutdown(service, () => service.signal('SIGTERM'))
    expectError(await started, 'INTERNAL_ERROR')
    expect((await started).body.details).to.deep.equal({ dependency: 'identity_provider' })
    expectError(await read, 'DATABASE_ERROR')
    const rejected = await readResponse(late)
    expectError(rejected, 'INTERNAL_ERROR')
    expect(rejected.body.details).to.deep.equal({ reason: 'shutting_down', retryAfterSeconds: 1 })
    for (const response of [await read, rejected])
      expect(response.headers.get('connection')).to.equal('close')
    expect(await queryIn(database.url, 'select from stored')).to.deep.equal([])
    for (const route of ['POST /verify/start', 'GET /verify/status']) {
      expect(service.out()).to.match(new RegExp(`"route":"${route}","status":500`))
    }
  })
})

const meaninglessSignals = ['SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGPIPE', 'SIGWINCH'] as const

/** For longer than a shutdown. A lock would be waited for no longer than 3 s. */
const makeReadsHang = `alter table verification rename to stored;
  create view verification as select * from stored where (select pg_sleep(60)) is not null`
const findSleeping = `select from pg_stat_activity where wait_event = 'PgSleep'`

async function statusesIn(databaseUrl: string): Promise<unknown[]> {
  return await queryIn(databaseUrl, 'select id, status from verification')
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
