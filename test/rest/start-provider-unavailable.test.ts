import { expect } from 'chai'
import { expectError } from '#test/support/expect-error.ts'
import { nothing, storedOf } from '#test/support/stored.ts'
import { call, tenantClient } from '#test/support/tenant-client.ts'
import { useNewTenant, useService } from '#test/support/use-service.ts'

describe('POST /verify/start while the identity provider fails', () => {
  const service = useService()
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)
  afterEach(() => setMode('ok'))

  const setMode = (createSession: string) =>
    call(`${service.veriffUrl}/control/mode`, { method: 'PUT', json: { createSession } })

  for (const [title, mode] of [
    ['closes the connection', 'unreachable'],
    ['refuses with 401', 'error-401'],
    ['refuses with 404', 'error-404'],
    ['is overloaded', 'error-503'],
    ['answers something that is no JSON', 'garbage'],
    ['answers with a wrong signature', 'wrong-signature'],
  ] as const) {
    it(`says which dependency failed when it ${title}; nothing is stored and no quota is used`, async () => {
      await setMode(mode)
      const answer = await client.start({ userAgent: 'Mozilla' })
      expectError(answer, 'INTERNAL_ERROR')
      expect(answer.body.details).to.deep.equal({ dependency: 'identity_provider' })
      expect(await storedOf(service, tenant.tenantId)).to.deep.equal(nothing)
    })
  }

  it('gives up a provider that never answers after 10 seconds', async function () {
    this.timeout(20_000)
    await setMode('hang')
    const begun = performance.now()
    const answer = await client.start()
    expect(performance.now() - begun).to.be.within(9_000, 12_000)
    expectError(answer, 'INTERNAL_ERROR')
    expect(answer.body.details).to.deep.equal({ dependency: 'identity_provider' })
    expect(await storedOf(service, tenant.tenantId)).to.deep.equal(nothing)
  })

  it('starts again as soon as the provider is back', async () => {
    await setMode('error-500')
    expect((await client.start()).status).to.equal(500)
    await setMode('ok')
    expect((await client.start()).status).to.equal(201)
    expect((await storedOf(service, tenant.tenantId)).used).to.equal(1)
  })

  it('goes on answering what needs no provider', async () => {
    const { body } = await client.start()
    await setMode('unreachable')
    expect((await client.status(body.verificationId)).status).to.equal(200)
    expect((await client.submit(body.verificationId)).status).to.equal(200)
    expect((await client.validate('x')).status).to.equal(200)
  })
})
