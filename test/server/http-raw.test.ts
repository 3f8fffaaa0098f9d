import { expect } from 'chai'
import type { ErrorCode } from '#domain/errors.ts'
import { createApp } from '#server/app.ts'
import { listen } from '#server/http/listen.ts'
import { expectError } from '#test/support/expect-error.ts'
import { connectTo, readResponse, sendRaw } from '#test/support/raw-http.ts'
import { countRecords, noRecords } from '#test/support/stored.ts'
import {
  createTestTenant,
  startTestService,
  type TestService,
  type TestTenant,
} from '#test/support/test-service.ts'

describe('Requests that are no good HTTP', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startTestService()
    tenant = await createTestTenant(service)
  })
  after(() => service.close())

  const send = (bytes: string | Uint8Array, options = {}) => sendRaw(service.baseUrl, bytes, options)
  const start = (headers: string, body = '') =>
    `POST /verify/start HTTP/1.1\r\nHost: a\r\nx-tenant-api-key: ${tenant.apiKey}\r\n${headers}\r\n${body}`

  const malformed: [string, string | Uint8Array][] = [
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['an unknown method', 'FETCH /verify/status HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['an unknown version', 'GET /verify/status HTTP/9.9\r\nHost: a\r\n\r\n'],
    ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['TLS', Buffer.from('1603010200010001fc0303', 'hex')],
    ['a blank in the address', 'GET /verify/ status HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost a\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: a\r\nx-a: b\0c\r\n\r\n'],
    ['headers of 32 KiB', `GET / HTTP/1.1\r\nHost: a\r\nx-a: ${'x'.repeat(32 * 1024)}\r\n\r\n`],
    ['an address of 32 KiB', `GET /${'x'.repeat(32 * 1024)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['a negative length', 'POST /verify/start HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['an unknown transfer encoding', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: odd\r\n\r\n'],
  ]
  for (const [title, bytes] of malformed) {
    it(`are answered once with the envelope, and hung up on: ${title}`, async () => {
      const answer = await send(bytes, { untilClosed: true })
      expectError(answer, 'INVALID_PARAMETERS')
      expect(answer.headers.get('connection')).to.equal('close')
      expect(answer.headers.has('server')).to.equal(false)
      expect(answer.rest).to.equal('')
    })
  }

  const odd: [string, () => string, ErrorCode][] = [
    ['CONNECT', () => 'CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n', 'ROUTE_NOT_FOUND'],
    ['TRACE', () => 'TRACE / HTTP/1.1\r\nHost: a\r\n\r\n', 'ROUTE_NOT_FOUND'],
    ['OPTIONS *', () => 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 'ROUTE_NOT_FOUND'],
    [
      'an upgrade to WebSocket',
      () => 'GET /verify/status HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      'UNAUTHENTICATED_TENANT',
    ],
    [
      'an upgrade to HTTP/2',
      () => 'GET /nowhere HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
      'ROUTE_NOT_FOUND',
    ],
    ['no Host', () => 'GET /verify/status HTTP/1.1\r\n\r\n', 'UNAUTHENTICATED_TENANT'],
    ['HTTP/1.0', () => 'GET /verify/status HTTP/1.0\r\n\r\n', 'UNAUTHENTICATED_TENANT'],
    ['an odd Host', () => 'GET /verify/status HTTP/1.1\r\nHost: ][\r\n\r\n', 'UNAUTHENTICATED_TENANT'],
    [
      'an absolute address',
      () => 'GET http://b/verify/status HTTP/1.1\r\nHost: a\r\n\r\n',
      'UNAUTHENTICATED_TENANT',
    ],
    ['an absolute address of nothing', () => 'GET http://b/x HTTP/1.1\r\nHost: a\r\n\r\n', 'ROUTE_NOT_FOUND'],
    ['an odd absolute address', () => 'GET http://[/x HTTP/1.1\r\nHost: a\r\n\r\n', 'ROUTE_NOT_FOUND'],
    [
      'an unknown expectation',
      () => start('Expect: tea\r\nContent-Length: 1\r\n', '{'),
      'INVALID_REQUEST_BODY',
    ],
    [
      'a query that is no text',
      () => 'GET /verify/status?%ff%fe HTTP/1.1\r\nHost: a\r\n\r\n',
      'UNAUTHENTICATED_TENANT',
    ],
  ]
  for (const [title, bytes, code] of odd) {
    it(`are answered with the envelope: ${title}`, async () => {
      expectError(await send(bytes()), code)
    })
  }

  it('are asked for the body where the client waits for that', async () => {
    const socket = await connectTo(service.baseUrl)
    try {
      socket.write(start('Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 2\r\n'))
      const go = await new Promise<Buffer>(resolve => socket.once('data', resolve))
      expect(go.toString()).to.equal('HTTP/1.1 100 Continue\r\n\r\n')
      const answer = readResponse(socket)
      socket.write('{}')
      expect((await answer).status).to.equal(201)
    } finally {
      socket.destroy()
    }
  })

  it('with a body of chunks are taken', async () => {
    const headers = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n'
    const answer = await send(start(headers, '1\r\n{\r\n1\r\n}\r\n0\r\n\r\n'))
    expect(answer.status).to.equal(201)
  })

  describe('and bodies that are too large or cut short', () => {
    let fresh: TestTenant
    beforeEach(async () => {
      fresh = await createTestTenant(service)
    })
    afterEach(async () => {
      expect(await countRecords(service, fresh.tenantId)).to.deep.equal(noRecords)
    })
    const post = (headers: string, body: string) =>
      start(`Content-Type: application/json\r\n${headers}\r\n`, body).replace(tenant.apiKey, fresh.apiKey)

    it('are refused by the declared length, before the body has come', async () => {
      const answer = await send(post('Content-Length: 10000000000', '{'), { untilClosed: true })
      expectError(answer, 'INVALID_REQUEST_BODY')
      expect(answer.body.details.issues[0].message).to.equal('must be at most 16384 bytes')
      expect(answer.rest).to.equal('')
    })

    it('are refused in chunks without an end', async () => {
      const chunk = `1000\r\n${' '.repeat(0x1000)}\r\n`
      const answer = await send(post('Transfer-Encoding: chunked', chunk.repeat(8)), { untilClosed: true })
      expectError(answer, 'INVALID_REQUEST_BODY')
      expect(answer.rest).to.equal('')
    })

    it('are answered also to a client that reads only after it has sent all of 8 MB', async () => {
      const body = ' '.repeat(8_000_000)
      const response = await fetch(`${service.baseUrl}/verify/start`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-tenant-api-key': fresh.apiKey },
        body,
      })
      expect(response.status).to.equal(400)
      expect(await response.json()).to.include({ error: 'INVALID_REQUEST_BODY' })
    })

    it('are answered once where the client gives up half-way', async () => {
      const answer = await send(post('Content-Length: 100', '{"ip":'), { halfClose: true, untilClosed: true })
      expect(answer.status).to.equal(400)
      expect(answer.headers.get('x-request-id')).to.equal(answer.body.requestId)
      expect(answer.rest).to.equal('')
    })

    it('are answered once where a chunk is malformed', async () => {
      const answer = await send(post('Transfer-Encoding: chunked', 'zz\r\n'), { untilClosed: true })
      expect(answer.status).to.equal(400)
      expect(answer.headers.get('x-request-id')).to.equal(answer.body.requestId)
      expect(answer.rest).to.equal('')
    })

    it('leave the service well where the client hangs up', async () => {
      const socket = await connectTo(service.baseUrl)
      socket.write(post('Content-Length: 100', '{'))
      socket.resetAndDestroy()
      expectError(await send('GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n'), 'ROUTE_NOT_FOUND')
    })
  })

  it('do not spoil the answer to a good request before them', async () => {
    const good = start('Content-Type: application/json\r\nContent-Length: 2\r\n', '{}')
    const answer = await send(`${good}garbage\r\n\r\n`, { untilClosed: true })
    expect(answer.status).to.equal(201)
    expect(answer.body).to.have.property('sessionUrl')
    expect(answer.rest).to.match(/^HTTP\/1\.1 400 /)
    expect(answer.rest).to.include('INVALID_PARAMETERS')
  })

  it('are given up when they come too slowly', async () => {
    const slow = await listen(createApp(service.services), { host: '127.0.0.1', port: 0 }, 300)
    try {
      const socket = await connectTo(`http://127.0.0.1:${slow.port}`)
      socket.write('GET /verify/status HTTP/1.1\r\nHost: a\r\nx-a: ')
      const answer = await readResponse(socket, true)
      expectError(answer, 'INVALID_PARAMETERS')
      expect(answer.body.message).to.include('not sent in time')
      socket.destroy()
    } finally {
      await slow.drain()
    }
  })

  it('are given up also in the body', async () => {
    const slow = await listen(createApp(service.services), { host: '127.0.0.1', port: 0 }, 300)
    try {
      const socket = await connectTo(`http://127.0.0.1:${slow.port}`)
      socket.write(start('Content-Type: application/json\r\nContent-Length: 10\r\n', '{'))
      const answer = await readResponse(socket, true)
      expect(answer.status).to.equal(400)
      expect(answer.headers.get('x-request-id')).to.equal(answer.body.requestId)
      expect(answer.rest).to.equal('')
      socket.destroy()
    } finally {
      await slow.drain()
    }
  })
})
