import { expect } from 'chai'
import { expectError } from '../harness/expect-error.ts'
import { countRecords, noRecords } from '../harness/stored.ts'
import { call, tenantClient } from '../harness/tenant-client.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

describe('POST /verify/start while the identity provider fails', () => {
  const service = useService()
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)
  afterEach(() => setMode('ok'))

  const setMode = (createSession: string) =>
    call(`${service.veriffUrl}/control/mode`, { method: 'PUT', json: { createSession } })

  for (const [title, mode] of [
    ['closes the connection', 'unreachable'],
    ['is overloaded', 'error-503'],
    ['returns a wrong signature', 'wrong-signature'],
  ] as const) {
    it(`names the failed dependency, stores nothing and uses no quota when the provider ${title}`, async () => {
      await setMode(mode)
      const response = await client.start({ userAgent: 'Mozilla' })
      expectError(response, 'INTERNAL_ERROR')
      expect(response.body.details).to.deep.equal({ dependency: 'identity_provider' })
      expect(await countRecords(service, tenant.tenantId)).to.deep.equal(noRecords)
    })
  }

  it('gives up after 10 seconds when the provider does not respond', async function () {
    this.timeout(20_000)
    await setMode('hang')
    const begun = performance.now()
    const response = await client.start()
    expect(performance.now() - begun).to.be.within(9_000, 12_000)
    expectError(response, 'INTERNAL_ERROR')
    expect(response.body.details).to.deep.equal({ dependency: 'identity_provider' })
    expect(await countRecords(service, tenant.tenantId)).to.deep.equal(noRecords)
  })

  it('keeps serving requests that need no provider', async () => {
    const { body } = await client.start()
    await setMode('unreachable')
    expect((await client.status(body.verificationId)).status).to.equal(200)
    expect((await client.submit(body.verificationId)).status).to.equal(200)
    expect((await client.validate('x')).status).to.equal(200)
  })
})
