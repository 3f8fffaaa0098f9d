import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import { expectError } from '#test/support/expect-error.ts'
import { sendCallback } from '#test/support/provider-callback.ts'
import { connectTo, readResponse, sendRaw } from '#test/support/raw-http.ts'
import { useService } from '#test/support/use-service.ts'

const bodyBytesMax = 1024 * 1024
const bytesInFlightMax = 64 * bodyBytesMax
const wellFormed = 'a'.repeat(64)

describe('The body of POST /verify/callback', () => {
  const service = useService()

  const head = (headers: Record<string, string>, length: string = `Content-Length: ${bodyBytesMax}`) =>
    [
      'POST /verify/callback HTTP/1.1',
      'Host: a',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      length,
      '\r\n',
    ].join('\r\n')
  const ofProvider = () => ({ 'x-auth-client': service.veriff.apiKey, 'x-hmac-signature': wellFormed })

  const rejected: [string, () => Record<string, string>][] = [
    ['no headers', () => ({})],
    ['no signature', () => ({ 'x-auth-client': service.veriff.apiKey })],
    ['no client', () => ({ 'x-hmac-signature': wellFormed })],
    ['an unknown client', () => ({ ...ofProvider(), 'x-auth-client': 'other' })],
    ['a client whose pairs differ', () => ({ ...ofProvider(), 'vrf-auth-client': 'other' })],
    ['a signature of 63 digits', () => ({ ...ofProvider(), 'x-hmac-signature': wellFormed.slice(1) })],
    ['a signature of 65 digits', () => ({ ...ofProvider(), 'x-hmac-signature': `${wellFormed}a` })],
    ['a signature that is not hexadecimal', () => ({ ...ofProvider(), 'x-hmac-signature': 'g'.repeat(64) })],
    ['two different signatures', () => ({ ...ofProvider(), 'vrf-hmac-signature': 'b'.repeat(64) })],
  ]
  for (const [title, headers] of rejected) {
    it(`is not read with ${title}: the response is 403 before it has arrived, and the connection is closed`, async () => {
      for (const length of [undefined, 'Transfer-Encoding: chunked']) {
        const response = await sendRaw(service.baseUrl, head(headers(), length), { untilClosed: true })
        expectError(response, 'FORBIDDEN')
        expect(response.headers.get('connection')).to.equal('close')
      }
    })
  }

  it('is read with well-formed headers of either pair, and rejected if the signature is not over its bytes', async () => {
    const { apiKey } = service.veriff
    for (const headers of [
      { 'x-auth-client': apiKey, 'x-hmac-signature': wellFormed },
      { 'vrf-auth-client': apiKey, 'vrf-hmac-signature': wellFormed.toUpperCase() },
    ]) {
      expectError(await sendCallback(service, '{}', { headers }), 'FORBIDDEN')
    }
  })

  describe('sent by many clients that do not finish', () => {
    const sockets: Socket[] = []
    afterEach(() => {
      for (const socket of sockets.splice(0)) socket.destroy()
    })

    async function openUnfinished(): Promise<Socket> {
      const socket = await connectTo(service.baseUrl)
      sockets.push(socket)
      socket.write(head({ ...ofProvider(), Expect: '100-continue' }))
      return socket
    }

    it('is limited to 64 MiB in all: further callbacks get 429 with Retry-After until some have ended', async () => {
      const unfinished = await Promise.all(
        Array.from({ length: bytesInFlightMax / bodyBytesMax }, async () => {
          const socket = await openUnfinished()
          await once(socket, 'data')
          return socket
        }),
      )
      const limited = await readResponse(await openUnfinished(), true)
      expect(limited.rest).to.match(/^HTTP\/1\.1 429 /)
      const small = await sendCallback(service, { code: 7001 })
      expectError(small, 'RATE_LIMIT_EXCEEDED')
      expect(small.headers.get('retry-after')).to.equal('5')
      const [first] = unfinished
      first!.end('x')
      await once(first!, 'close')
      expect((await sendCallback(service, { code: 7001 })).status).to.equal(200)
    })

    it('has a deadline of 10 s', async () => {
      const socket = await connectTo(service.baseUrl)
      sockets.push(socket)
      const startedAt = performance.now()
      socket.write(`${head(ofProvider())}{`)
      const response = await readResponse(socket, true)
      expect(performance.now() - startedAt).to.be.within(9_500, 15_000)
      expectError(response, 'INVALID_REQUEST_BODY')
      expect(response.body.details.issues).to.deep.equal([{ path: '', message: 'was not sent in time' }])
    })
  })
})
