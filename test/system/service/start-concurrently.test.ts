import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { expect } from 'chai'
import { freePort } from '#server/http/free-port.ts'
import { demoTenant, tenantOf } from '#test/harness/processes/demo-tenant.ts'
import { serviceFixture } from '#test/harness/processes/service-fixture.ts'
import type { ServiceProcess } from '#test/harness/processes/service-process.ts'

describe('Services on one machine', () => {
  const fixture = serviceFixture()

  async function startVerification(service: ServiceProcess) {
    const { apiKey } = await demoTenant(service)
    const tenant = tenantOf(service, apiKey)
    const { status, body } = await tenant.start()
    expect(status).to.equal(201)
    expect(new URL(body.sessionUrl).origin).to.equal(service.baseUrl)
    expect((await tenant.choose(body.verificationId, 'adult')).body.status).to.equal('approved')
    return { apiKey, verificationId: body.verificationId as string }
  }

  it('run concurrently, each with its own data, and use other ports if theirs are taken', async () => {
    const { taken, port } = await takePortAfterFreeOne()
    try {
      // The first embedded part, the sign-in provider, would listen on the port after the service's.
      const one = await fixture.start({ name: 'one', port: port - 1 })
      const [, signInUrl = ''] = await one.says(/Sign-in +(\S+)/)
      expect(new URL(signInUrl).port).not.to.equal(String(port))
      const two = await fixture.start({ name: 'two' })
      const [first, second] = await Promise.all([startVerification(one), startVerification(two)])
      const stranger = await tenantOf(two, first.apiKey).status(second.verificationId)
      expect(stranger.status).to.equal(401)
    } finally {
      taken.close()
    }
  })
})

async function takePortAfterFreeOne(): Promise<{ taken: Server; port: number }> {
  const port = (await freePort()) + 1
  const taken = createServer().listen(port, '127.0.0.1')
  return await once(taken, 'listening').then(
    () => ({ taken, port }),
    () => takePortAfterFreeOne(),
  )
}
