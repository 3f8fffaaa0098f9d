import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { demoTenant, tenantOf } from '#test/faults/service/demo-tenant.ts'
import { serviceFixture } from '#test/faults/service/service-fixture.ts'
import { root, type ServiceProcess, untilNone } from '#test/faults/service/service-process.ts'

/** The README documents that a shutdown takes at most 10 s. */
const shutdownMsMax = 10_000

describe('A graceful shutdown', function () {
  this.timeout(120_000)
  const fixture = serviceFixture()

  async function expectGracefulShutdown(service: ServiceProcess, shutDown: () => void): Promise<void> {
    const startedAt = performance.now()
    shutDown()
    const { code, signal, err } = await service.ended
    await untilNone(service.dataFolder)
    expect(performance.now() - startedAt).to.be.lessThan(shutdownMsMax)
    expect({ signal, err: err.replace(/^npm .*\n/gm, '') }).to.deep.equal({ signal: null, err: '' })
    expect(code).to.equal(0)
  }

  it('starts on SIGTERM and leaves no process behind', async () => {
    const service = await fixture.start()
    await expectGracefulShutdown(service, () => service.signal('SIGTERM'))
  })

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

  it('waits for a request in flight, whose result is stored', async () => {
    const provider = await startPendingProvider()
    const env = {
      VERIFF_BASE_URL: provider.url,
      VERIFF_API_KEY: randomUUID(),
      VERIFF_SHARED_SECRET: randomUUID(),
    }
    const service = await fixture.start({ name: 'pending', env })
    const { apiKey } = await demoTenant(service)
    const started = tenantOf(service, apiKey).start()
    const response = await provider.requested
    service.signal('SIGTERM')
    await service.says(/Shutting down: draining in-flight requests/)
    response.end(JSON.stringify({ verification: { id: randomUUID(), url: 'https://example.com/session' } }))
    const { status, body } = await started
    expect(status).to.equal(201)
    expect((await service.ended).code).to.equal(0)
    provider.close()

    const again = await fixture.start({ name: 'pending', env })
    expect((await tenantOf(again, apiKey).status(body.verificationId)).body.status).to.equal('pending')
  })
})

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
