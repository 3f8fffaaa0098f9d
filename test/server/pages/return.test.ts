import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { eraseVerification } from '#domain/deletion/erase-verification.ts'
import { newId } from '#domain/ids.ts'
import { forTenant } from '#domain/scope.ts'
import { setReturnUrl } from '#domain/tenant/change-settings.ts'
import { call, tenantClient } from '../../harness/tenant-client.ts'
import { createTestClock } from '../../harness/test-clock.ts'
import { useNewTenant, useService } from '../../harness/use-service.ts'

describe('The way back from the provider', () => {
  const clock = createTestClock()
  const service = useService({ env: { BASE_URL: 'https://age.example' }, clock })
  const tenant = useNewTenant(service)
  const local = () => `http://127.0.0.1:${service.services.config.port}`
  const set = (url: string | null) => setReturnUrl(forTenant(service.operator(), tenant.tenantId), { url })
  const start = async (input = {}): Promise<string> =>
    (await tenantClient({ baseUrl: local() }, tenant).start(input)).body.verificationId
  const sessionAtProvider = async (id: string) =>
    (await call(`${service.veriffUrl}/control/sessions/${id}`)).body.session
  const comeBack = (id: string, method: 'GET' | 'HEAD' = 'GET') => call(`${local()}/return/${id}`, { method })

  it('is an address of the service: the provider gets no address and no id of the tenant, no ip and no userAgent', async () => {
    await set('https://shop.example/adults')
    const id = await start({ ip: '203.0.113.77', userAgent: 'Secret/1' })
    const session = await sessionAtProvider(id)
    expect(session).to.include({ callback: `https://age.example/return/${id}`, vendorData: id })
    expect(JSON.stringify(session)).to.not.match(/shop\.example|203\.0\.113\.77|Secret/)
    expect(JSON.stringify(session)).to.not.contain(tenant.tenantId)
  })

  it('is none where the tenant has no return URL', async () => {
    expect((await sessionAtProvider(await start())).callback).to.equal(null)
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
    ['https://bücher.example/zurück', 'https://xn--bcher-kva.example/zur%C3%BCck?verificationId=ID'],
  ] as const) {
    it(`leads on to ${url}, with the verificationId added to its query`, async () => {
      await set(url)
      const id = await start()
      const { status, headers } = await comeBack(id)
      expect([status, headers.get('location')]).to.deep.equal([303, expected.replace('ID', id)])
    })
  }

  it('says nothing to caches and to the page that follows, keeps the window’s opener, and answers HEAD', async () => {
    await set('https://shop.example/')
    const id = await start()
    for (const method of ['GET', 'HEAD'] as const) {
      const { status, headers } = await comeBack(`${id.toUpperCase()}?url=https://evil.example`, method)
      expect([status, headers.get('location')]).to.deep.equal([
        303,
        `https://shop.example/?verificationId=${id}`,
      ])
      expect(headers.get('cache-control')).to.equal('no-store')
      expect(headers.get('referrer-policy')).to.equal('no-referrer')
      expect(headers.get('cross-origin-opener-policy')).to.equal('unsafe-none')
    }
  })

  it('ends on the same page for an id that is erased, expired, without a return URL, or never was one', async () => {
    await set('https://shop.example/')
    const [erased, expired] = [await start(), await start()]
    await eraseVerification(service.operator(), { verificationId: erased, skipProvider: true })
    const unknown = await comeBack(newId(clock()))
    expect([unknown.status, unknown.headers.get('location')]).to.deep.equal([404, null])
    expect(unknown.body).to.contain('You can close this window').and.not.contain('shop.example')
    expect((await call(`${local()}/return/page.css`)).headers.get('content-type')).to.contain('text/css')
    const isUnknown = async (id: string) => {
      const { status, body, headers } = await comeBack(id)
      expect([status, body, headers.get('location')], id).to.deep.equal([404, unknown.body, null])
    }
    for (const id of [erased, randomUUID(), 'x', 'https%3A%2F%2Fevil.example', '%00']) await isUnknown(id)
    await set(null)
    await isUnknown(expired)
    await set('https://shop.example/')
    expect((await comeBack(expired)).status).to.equal(303)
    clock.advance(service.services.rules.verificationRetentionMs + 1)
    await isUnknown(expired)
  })
})
