import { expect } from 'chai'
import { decodeJwt } from 'jose'
import { captureLog } from '#test/server/captured-log.ts'
import { expectError, expectPublic } from '../harness/expect-error.ts'
import { statementsDuring } from '../harness/statements-during.ts'
import { call, tenantClient } from '../harness/tenant-client.ts'
import { createTestClock } from '../harness/test-clock.ts'
import { useService, useTenant } from '../harness/use-service.ts'

describe('GET /tokens/status-lists/{list}', () => {
  const clock = createTestClock()
  const captured = captureLog()
  const service = useService({ clock, log: captured.log })
  const tenant = useTenant(service)
  const client = tenantClient(service, tenant)
  let verificationId: string
  let uri: string
  before('issue a token', async () => {
    verificationId = await client.decided('approve-adult')
    const { token } = (await client.status(verificationId)).body
    uri = decodeJwt<{ status: { status_list: { uri: string } } }>(token).status.status_list.uri
  })

  it('returns a signed list to anyone, which may be cached', async () => {
    expect(uri).to.equal(`${service.baseUrl}/tokens/status-lists/1`)
    const { status, headers, body } = await call(uri, { headers: { accept: 'application/statuslist+jwt' } })
    expect(status).to.equal(200)
    expect(headers.get('content-type')).to.equal('application/statuslist+jwt')
    expect(headers.get('cache-control')).to.equal('public, max-age=300')
    expect(headers.get('etag')).to.match(/^"[\w-]{43}"$/)
    expect(headers.get('x-request-id')).to.be.a('string')
    expect(headers.get('x-content-type-options')).to.equal('nosniff')
    expect(body).to.match(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(JSON.stringify(decodeJwt(body)))
      .not.to.include(tenant.tenantId)
      .and.not.to.include(verificationId)
  })

  it('can be read by pages of any site, and so can its errors', async () => {
    for (const path of [uri, `${uri}?time=1`, uri.replace(/1$/, '2'), `${service.baseUrl}/openapi.json`])
      expectPublic(await call(path, { headers: { origin: 'https://shop.example' } }))
  })

  it('returns no current list for an earlier time, nor a JWT where only CWT is accepted', async () => {
    const earlier = await call(`${uri}?time=1686925000`)
    expectError(earlier, 'NOT_IMPLEMENTED')
    expect(earlier.status).to.equal(501)
    expect(earlier.body.message).to.equal(
      'The parameter time is not supported: only the current list is kept.',
    )
    const lines = await captured.linesOf(earlier.headers.get('x-request-id'))
    expect(lines.map(({ msg }) => msg)).to.deep.equal(['request'])
    const cwt = await call(uri, { headers: { accept: 'application/statuslist+cwt' } })
    expectError(cwt, 'NOT_ACCEPTABLE')
    expect(cwt.status).to.equal(406)
    expect(cwt.body.message).to.equal('Accept must allow application/statuslist+jwt.')
    for (const accept of [
      '*/*',
      'application/*',
      'application/statuslist+cwt, application/statuslist+jwt;q=0.5',
    ])
      expect((await call(uri, { headers: { accept } })).status, accept).to.equal(200)
    expect((await call(`${uri}?v=2`)).status).to.equal(200)
  })

  it('returns 304 to a client that has the list, and the list once it has changed', async () => {
    const { headers } = await call(uri)
    const again = () => call(uri, { headers: { 'if-none-match': headers.get('etag')! } })
    const unchanged = await again()
    expect([unchanged.status, unchanged.body]).to.deep.equal([304, undefined])
    expect(unchanged.headers.get('cache-control')).to.equal('public, max-age=300')
    expect(unchanged.headers.get('etag')).to.equal(headers.get('etag'))
    clock.advance(300_000)
    expect((await again()).status).to.equal(200)
  })

  it('returns 404 for a list that no token refers to, and for what is no number without a statement', async () => {
    const responseFor = (list: string) => call(`${service.baseUrl}/tokens/status-lists/${list}`)
    for (const list of ['2', '32768', '32769', '999999999'])
      expectError(await responseFor(list), 'ROUTE_NOT_FOUND')
    const sent = await statementsDuring(async () => {
      for (const list of ['', '0', '01', '-1', '1.0', '1e0', '%31%00', 'x', '1000000000', '1/', '../1x'])
        expectError(await responseFor(list), 'ROUTE_NOT_FOUND')
    })
    expect(sent.filter(name => /status-list|token-signer/.test(name))).to.deep.equal([])
  })
})
