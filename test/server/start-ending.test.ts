import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { demoTenant, tenantOf } from '#test/faults/service/demo-tenant.ts'
import { serviceFixture } from '#test/faults/service/service-fixture.ts'
import { root, type ServiceProcess, untilNone } from '#test/faults/service/service-process.ts'

/** What the README promises: everything has ended by then. */
const endMsMax = 10_000

describe('the end of a service', function () {
  this.timeout(120_000)
  const fixture = serviceFixture()

  async function expectOrderlyEnd(service: ServiceProcess, end: () => void): Promise<void> {
    const begun = performance.now()
    end()
    const { code, signal, err } = await service.ended
    await untilNone(service.dataFolder)
    expect(performance.now() - begun).to.be.lessThan(endMsMax)
    expect({ signal, err: err.replace(/^npm .*\n/gm, '') }).to.deep.equal({ signal: null, err: '' })
    expect(code).to.equal(0)
  }

  it('comes with SIGTERM and leaves no process', async () => {
    const service = await fixture.start()
    await expectOrderlyEnd(service, () => service.signal('SIGTERM'))
  })

  it('comes with SIGINT, however often it is sent', async () => {
    const service = await fixture.start()
    await expectOrderlyEnd(service, () => {
      service.signal('SIGINT')
      service.signal('SIGINT')
    })
  })

  const npmStart = { command: ['npm', 'start'], cwd: root }

  it('comes with SIGTERM to npm', async () => {
    const service = await fixture.start(npmStart)
    await expectOrderlyEnd(service, () => service.signal('SIGTERM'))
  })

  it('comes with Ctrl-C, which reaches npm and the service', async () => {
    const service = await fixture.start(npmStart)
    await expectOrderlyEnd(service, () => service.signalGroup('SIGINT'))
  })

  it('comes with SIGTERM also while it is still starting', async () => {
    const service = await fixture.launch()
    await service.says(/Starting PostgreSQL/)
    await expectOrderlyEnd(service, () => service.signal('SIGTERM'))
  })

  it('waits for a request in flight, and what it answered is kept', async () => {
    const provider = await startHeldProvider()
    const env = {
      ...{ VERIFF_BASE_URL: provider.url, VERIFF_API_KEY: randomUUID(), VERIFF_SHARED_SECRET: randomUUID() },
    }
    const service = await fixture.start({ name: 'held', env })
    const { apiKey } = await demoTenant(service)
    const started = tenantOf(service, apiKey).start()
    const answer = await provider.asked
    service.signal('SIGTERM')
    await service.says(/finishes what is in flight/)
    answer.end(JSON.stringify({ verification: { id: randomUUID(), url: 'https://example.com/session' } }))
    const { status, body } = await started
    expect(status).to.equal(201)
    expect((await service.ended).code).to.equal(0)
    provider.close()

    const again = await fixture.start({ name: 'held', env })
    expect((await tenantOf(again, apiKey).status(body.verificationId)).body.status).to.equal('pending')
  })
})

/** A provider that has not answered yet: `asked` is its first answer, to be finished by the test. */
async function startHeldProvider() {
  const asked = Promise.withResolvers<ServerResponse>()
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(201, { 'content-type': 'application/json' })
    asked.resolve(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked: asked.promise, close: () => server.close() }
}
