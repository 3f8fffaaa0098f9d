import { expect } from 'chai'
import { forTenant } from '#domain/scope.ts'
import { setReturnUrl } from '#domain/tenant/change-settings.ts'
import { countRecords, noRecords } from '../harness/stored.ts'
import { call, tenantClient } from '../harness/tenant-client.ts'
import type { TestService } from '../harness/test-service.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

describe('POST /verify/start', () => {
  const service = useService()
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)

  it('returns a started session that can be polled as pending', async () => {
    const started = await client.start()
    expect(started.status).to.equal(201)
    expect(started.body).to.have.all.keys('verificationId', 'status', 'provider', 'sessionUrl', 'config')
    expect(started.body).to.include({ status: 'started', provider: 'veriff' })
    expect(started.body.config).to.deep.equal({ pollingIntervalMs: 3000, tokenType: 'jwt' })
    const { status, body } = await client.status(started.body.verificationId)
    expect(status).to.equal(200)
    expect(body).to.include({ status: 'pending', confidence: null, completedAt: null })
  })

  it('accepts a userAgent and an ip, and counts one start', async () => {
    const { status } = await client.start({ userAgent: 'Größe 🙂', ip: '2001:db8::1' })
    expect(status).to.equal(201)
    expect(await countRecords(service, tenant.tenantId)).to.deep.equal({
      ...noRecords,
      verifications: 1,
      used: 1,
    })
  })

  for (const [url, expected] of [
    ['https://shop.example/done', 'https://shop.example/done?verificationId=ID'],
    ['https://shop.example', 'https://shop.example/?verificationId=ID'],
    ['https://shop.example/done?x=1&', 'https://shop.example/done?x=1&&verificationId=ID'],
    [
      'https://shop.example/a%20b?y=%20&z=a+b&sig=a/b%2Fc~!(%27)*&&flag&=%C3%A9%ff',
      'https://shop.example/a%20b?y=%20&z=a+b&sig=a/b%2Fc~!(%27)*&&flag&=%C3%A9%ff&verificationId=ID',
    ],
    [
      'https://shop.example/done?verificationId=forged&y=%20&verificationId&myverificationId=2',
      'https://shop.example/done?y=%20&myverificationId=2&verificationId=ID',
    ],
    ['https://shop.example/?y=%20#/done?z=%20', 'https://shop.example/?y=%20&verificationId=ID#/done?z=%20'],
  ] as const) {
    it(`sends the user back to the return URL ${url}, with the verificationId added to its query`, async () => {
      await setReturnUrl(forTenant(service.operator(), tenant.tenantId), { url })
      const { verificationId } = (await client.start()).body
      const { callback } = (await sessionAtProvider(service, verificationId)).body.session
      expect(callback).to.equal(expected.replace('ID', verificationId))
    })
  }

  it("sends the provider neither the user's ip and userAgent nor a return URL that the tenant doesn't have", async () => {
    const { verificationId } = (await client.start({ ip: '203.0.113.77', userAgent: 'Secret/1' })).body
    const { body } = await sessionAtProvider(service, verificationId)
    expect(body.session).to.include({ callback: null, vendorData: verificationId })
    expect(JSON.stringify(body)).not.to.match(/203\.0\.113\.77|Secret/)
  })
})

function sessionAtProvider(service: TestService, verificationId: string) {
  return call(`${service.veriffUrl}/control/sessions/${verificationId}`)
}
