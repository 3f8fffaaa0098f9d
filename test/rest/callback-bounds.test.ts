import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import { uncountedBytes } from '#domain/fairness/bytes-in-flight.ts'
import { eventually } from '../harness/eventually.ts'
import { expectError } from '../harness/expect-error.ts'
import { metricOf } from '../harness/metrics.ts'
import { sendCallback } from '../harness/provider-callback.ts'
import { connectTo, readResponse, sendRaw } from '../harness/raw-http.ts'
import { useService } from '../harness/use-service.ts'

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
    ['an empty signature', () => ({ ...ofProvider(), 'x-hmac-signature': '' })],
    ['a signature in base64', () => ({ ...ofProvider(), 'x-hmac-signature': `${'a'.repeat(43)}=` })],
    ['sha256= before it', () => ({ ...ofProvider(), 'x-hmac-signature': `sha256=${wellFormed}` })],
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

    /** Sends the head and the bytes, and withholds the rest of the body. */
    async function openUnfinished(bytes: string | Buffer, length?: string): Promise<Socket> {
      const socket = await connectTo(service.baseUrl)
      sockets.push(socket)
      socket.write(head({ ...ofProvider(), Expect: '100-continue' }, length))
      await once(socket, 'data')
      socket.write(bytes)
      return socket
    }

    const limited = () =>
      metricOf(service.services.registry, 'age_verification_callbacks_total', { result: 'limited' })

    it('is limited to 64 MiB in all beyond the first 16 KiB of each, and smaller callbacks are accepted', async () => {
      const before = await limited()
      const body = Buffer.alloc(bodyBytesMax - 1, ' ')
      const counted = body.length - uncountedBytes
      const fitting = Math.floor(bytesInFlightMax / counted)
      await Promise.all(Array.from({ length: fitting + 3 }, () => openUnfinished(body)))
      await eventually(async () => (await limited()) === before + 3)
      const left = bytesInFlightMax - fitting * counted
      const larger = uncountedBytes + left + 1
      const request = `${head(ofProvider(), `Content-Length: ${larger + 1}`)}${'x'.repeat(larger)}`
      const rejected = await sendRaw(service.baseUrl, request, { untilClosed: true })
      expectError(rejected, 'RATE_LIMIT_EXCEEDED')
      expect(rejected.headers.get('retry-after')).to.equal('5')
      expect(rejected.headers.get('connection')).to.equal('close')
      expect((await sendCallback(service, { code: 7001 })).status).to.equal(200)
      const small = { code: 7001, padding: 'x'.repeat(10_000) }
      expect((await sendCallback(service, small)).status).to.equal(200)
      expect(await limited()).to.equal(before + 4)
      for (const socket of sockets.splice(0)) socket.destroy()
      const large = { code: 7001, padding: 'x'.repeat(bodyBytesMax - 100) }
      await eventually(async () => (await sendCallback(service, large)).status === 200)
    })

    it('has a deadline of 10 s', async () => {
      const socket = await connectTo(service.baseUrl)
      sockets.push(socket)
      const startedAt = performance.now()
      socket.write(`${head(ofProvider())}{`)
      const response = await readResponse(socket, true)
      expect(performance.now() - startedAt).to.be.at.least(9_500)
      // After the 12 s that any request has, it would be INVALID_PARAMETERS.
      expectError(response, 'INVALID_REQUEST_BODY')
      expect(response.body.details.issues).to.deep.equal([{ path: '', message: 'was not sent in time' }])
    })
  })
})
