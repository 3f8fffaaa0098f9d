import { expect } from 'chai'
import { expectError } from '../harness/expect-error.ts'
import { sendRaw } from '../harness/raw-http.ts'
import { countRecords, noRecords } from '../harness/stored.ts'
import { useNewTenant, useService, useTenant } from '../harness/use-service.ts'

describe('Malformed and unusual HTTP requests', () => {
  const service = useService()
  const tenant = useTenant(service)

  const send = (bytes: string | Uint8Array, options = {}) => sendRaw(service.baseUrl, bytes, options)
  const start = (headers: string, body = '') =>
    `POST /verify/start HTTP/1.1\r\nHost: a\r\nx-tenant-api-key: ${tenant.apiKey}\r\n${headers}\r\n${body}`

  const malformed: [string, string | Uint8Array][] = [
    ['something other than HTTP', 'hello\r\n\r\n'],
    ['TLS', Buffer.from('1603010200010001fc0303', 'hex')],
    ['headers of 32 KiB', `GET / HTTP/1.1\r\nHost: a\r\nx-a: ${'x'.repeat(32 * 1024)}\r\n\r\n`],
    ['a URL of 32 KiB', `GET /${'x'.repeat(32 * 1024)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['two content lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}'],
    [
      'a content length and chunked encoding',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['an unknown transfer encoding', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: odd\r\n\r\n'],
    ['a body chunked twice', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n'],
    ['an unknown method', 'FOO /verify/start HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ]
  for (const [title, bytes] of malformed) {
    it(`get one error envelope and a closed connection: ${title}`, async () => {
      const response = await send(bytes, { untilClosed: true })
      expectError(response, 'INVALID_PARAMETERS')
      expect(response.headers.get('connection')).to.equal('close')
      expect(response.headers.has('server')).to.equal(false)
      expect(response.headers.get('x-content-type-options')).to.equal('nosniff')
      expect(response.headers.get('cache-control')).to.equal('no-store')
      expect(response.rest).to.equal('')
    })
  }

  describe('with a body that is too large or incomplete', () => {
    const fresh = useNewTenant(service)
    afterEach(async () => {
      expect(await countRecords(service, fresh.tenantId)).to.deep.equal(noRecords)
    })
    const post = (headers: string, body: string) =>
      start(`Content-Type: application/json\r\n${headers}\r\n`, body).replace(tenant.apiKey, fresh.apiKey)

    it('are rejected by their Content-Length before the body has arrived', async () => {
      const response = await send(post('Content-Length: 10000000000', '{'), { untilClosed: true })
      expectError(response, 'INVALID_REQUEST_BODY')
      expect(response.body.details.issues[0].message).to.equal('must be at most 16384 bytes')
      expect(response.rest).to.equal('')
    })

    it('are rejected if chunks exceed the limit', async () => {
      const chunk = `1000\r\n${' '.repeat(0x1000)}\r\n`
      const response = await send(post('Transfer-Encoding: chunked', chunk.repeat(8)), { untilClosed: true })
      expectError(response, 'INVALID_REQUEST_BODY')
      expect(response.rest).to.equal('')
    })

    it('get one response if the client half-closes the connection, or a chunk is malformed', async () => {
      const half = post('Content-Length: 100', '{"ip":')
      expectOneResponse(await send(half, { halfClose: true, untilClosed: true }))
      expectOneResponse(await send(post('Transfer-Encoding: chunked', 'zz\r\n'), { untilClosed: true }))
    })
  })

  it('do not corrupt the response to a valid request before them', async () => {
    const good = start('Content-Type: application/json\r\nContent-Length: 2\r\n', '{}')
    const response = await send(`${good}garbage\r\n\r\n`, { untilClosed: true })
    expect(response.status).to.equal(201)
    expect(response.body).to.have.property('sessionUrl')
    expect(response.rest).to.match(/^HTTP\/1\.1 400 /)
    expect(response.rest).to.include('INVALID_PARAMETERS')
  })
})

/** A 400 in the error envelope, with nothing after it. */
function expectOneResponse({ status, headers, body, rest }: Awaited<ReturnType<typeof sendRaw>>): void {
  expect(status).to.equal(400)
  expect(headers.get('x-request-id')).to.equal(body.requestId)
  expect(rest).to.equal('')
}
