import { expect } from 'chai'
import { signature } from '#server/veriff/signature.ts'
import { against, apiKey, closeAll, created, oldSecret, refusal, secret, toStart } from './client-harness.ts'
import { decisionBody, sessionId } from './payloads.ts'

const decided = JSON.stringify(decisionBody())

describe("Veriff's answers", () => {
  afterEach(closeAll)

  describe('signatures of answers', () => {
    const signed = (headers: Record<string, string | string[]>, body = decided) =>
      against((_, response) => void response.writeHead(200, headers).end(body))
    const good = signature(decided, secret)
    const wrong = signature(decided, 'another secret')

    const accepted: [string, Record<string, string>][] = [
      ['without a signature', {}],
      ['with the x- pair', { 'X-AUTH-CLIENT': apiKey, 'X-HMAC-SIGNATURE': good }],
      ['with the vrf- pair', { 'vrf-auth-client': apiKey, 'vrf-hmac-signature': good }],
      ['with both pairs', { 'x-hmac-signature': good, 'vrf-hmac-signature': good }],
      ['in upper case', { 'x-hmac-signature': good.toUpperCase() }],
      ['made with the older secret', { 'x-hmac-signature': signature(decided, oldSecret) }],
    ]
    for (const [what, headers] of accepted) {
      it(`accepts an answer ${what}`, async () => {
        const { client } = await signed(headers)
        expect((await client.fetchDecision(sessionId))?.outcome).to.equal('approved')
      })
    }

    const refused: [string, Record<string, string | string[]>][] = [
      ['with a wrong x- signature', { 'x-auth-client': apiKey, 'x-hmac-signature': wrong }],
      ['with a wrong vrf- signature', { 'vrf-auth-client': apiKey, 'vrf-hmac-signature': wrong }],
      ['whose signatures disagree', { 'x-hmac-signature': good, 'vrf-hmac-signature': wrong }],
      ['whose signature is no hex', { 'x-hmac-signature': 'signed' }],
      ['whose signature is empty', { 'x-hmac-signature': '' }],
      ['that is signed twice', { 'x-hmac-signature': [good, good] }],
    ]
    for (const [what, headers] of refused) {
      it(`refuses an answer ${what}`, async () => {
        const { client } = await signed(headers)
        await refusal(client.fetchDecision(sessionId), /wrong signature/)
      })
    }

    it('refuses a session address that is wrongly signed', async () => {
      const { client } = await signed({ 'x-hmac-signature': wrong }, JSON.stringify(created))
      await refusal(client.createSession(toStart), /wrong signature/)
    })

    it('refuses "not found" that is wrongly signed', async () => {
      const { client } = await against(
        (_, response) => void response.writeHead(404, { 'x-hmac-signature': wrong }).end('{}'),
      )
      await refusal(client.fetchDecision(sessionId), /wrong signature/)
    })
  })

  describe('size of answers', () => {
    const mebibyte = 1024 * 1024
    const padded = (bytes: number) => {
      const [head, tail] = ['{"verification":null,"padding":"', '"}']
      return `${head}${'x'.repeat(bytes - head.length - tail.length)}${tail}`
    }

    it('reads 1 MiB', async () => {
      const { client } = await against((_, response) => void response.end(padded(mebibyte)))
      expect(await client.fetchDecision(sessionId)).to.equal(undefined)
    })

    it('refuses a byte more, announced or not', async () => {
      const announced = await against((_, response) => void response.end(padded(mebibyte + 1)))
      await refusal(announced.client.fetchDecision(sessionId), /EXCEEDED_MAX_SIZE/)
      const chunked = await against((_, response) => {
        response.write('{')
        response.end(padded(mebibyte))
      })
      await refusal(chunked.client.fetchDecision(sessionId), /EXCEEDED_MAX_SIZE/)
    })

    it('refuses an endless answer without reading on, errors too', async () => {
      for (const status of [200, 500]) {
        const { server, client } = await against((_, response) => {
          response.writeHead(status)
          const chunk = Buffer.alloc(64 * 1024, 'x')
          const pump = () => {
            while (response.write(chunk));
            response.once('drain', pump)
          }
          pump()
        })
        await refusal(client.fetchDecision(sessionId), /EXCEEDED_MAX_SIZE/)
        await server.quiet()
      }
    })
  })
})
