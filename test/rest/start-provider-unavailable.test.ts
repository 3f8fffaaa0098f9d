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

  for (const [title, mode, seconds] of [
    ['closes the connection', 'unreachable', 0],
    ['is overloaded', 'error-503', 0],
    ['returns a wrong signature', 'wrong-signature', 0],
    ['does not respond within 10 seconds', 'hang', 9.5],
  ] as const) {
    it(`names the failed dependency, stores nothing and uses no quota when the provider ${title}`, async () => {
      await setMode(mode)
      const begun = performance.now()
      const response = await client.start({ userAgent: 'Mozilla' })
      expect((performance.now() - begun) / 1_000).to.be.at.least(seconds)
      expectError(response, 'INTERNAL_ERROR')
      expect(response.body.details).to.deep.equal({ dependency: 'identity_provider' })
      expect(await countRecords(service, tenant.tenantId)).to.deep.equal(noRecords)
    })
  }

  it('says when to retry when the provider limits the rate of starts', async () => {
    await setMode('error-429')
    const response = await client.start()
    expectError(response, 'INTERNAL_ERROR')
    expect(response.body.details).to.deep.equal({ dependency: 'identity_provider', retryAfterSeconds: 5 })
    expect(response.headers.get('retry-after')).to.equal('5')
    expect(await countRecords(service, tenant.tenantId)).to.deep.equal(noRecords)
  })
})
