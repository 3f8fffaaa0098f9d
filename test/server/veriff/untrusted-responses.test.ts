import { expect } from 'chai'
import { signature } from '#server/veriff/signature.ts'
import {
  against,
  allClosed,
  apiKey,
  closeAll,
  created,
  expectUnavailable,
  oldSecret,
  secret,
  sessionRequest,
} from './client-harness.ts'
import { decisionBody, sessionId } from './payloads.ts'

const decided = JSON.stringify(decisionBody())

describe("Veriff's responses", () => {
  afterEach(closeAll)

  describe('signatures of responses', () => {
    const signed = (headers: Record<string, string | string[]>, status = 200, body = decided) =>
      against((_, response) => void response.writeHead(status, headers).end(body))
    const good = signature(decided, secret)
    const invalid = signature(decided, 'another secret')

    for (const [what, headers] of Object.entries<Record<string, string>>({
      'without a signature': {},
      'with the x- pair': { 'X-AUTH-CLIENT': apiKey, 'X-HMAC-SIGNATURE': good },
      'signed with the older secret': { 'vrf-hmac-signature': signature(decided, oldSecret) },
    })) {
      it(`accepts a response ${what}`, async () => {
        const { client } = await signed(headers)
        expect((await client.fetchDecision(sessionId))?.outcome).to.equal('approved')
      })
    }

    for (const [what, headers] of Object.entries<Record<string, string | string[]>>({
      'with an invalid signature': { 'x-auth-client': apiKey, 'vrf-hmac-signature': invalid },
      'whose signature is empty': { 'x-hmac-signature': '' },
      'with a repeated signature': { 'x-hmac-signature': [good, good] },
    })) {
      it(`rejects a response ${what}`, async () => {
        const { client } = await signed(headers)
        await expectUnavailable(client.fetchDecision(sessionId), /invalid signature/)
      })
    }

    it('rejects a session URL, and a 404 response, with an invalid signature', async () => {
      const headers = { 'x-hmac-signature': invalid }
      const session = (await signed(headers, 201, JSON.stringify(created))).client
      await expectUnavailable(session.createSession(sessionRequest), /invalid signature/)
      const unknown = (await signed(headers, 404, '{}')).client
      await expectUnavailable(unknown.fetchDecision(sessionId), /invalid signature/)
    })
  })

  describe('size of responses', () => {
    const mebibyte = 1024 * 1024
    const padded = (bytes: number) => {
      const [head, tail] = ['{"verification":null,"padding":"', '"}']
      return `${head}${'x'.repeat(bytes - head.length - tail.length)}${tail}`
    }

    it('reads a body of 1 MiB', async () => {
      const { client } = await against((_, response) => void response.end(padded(mebibyte)))
      expect(await client.fetchDecision(sessionId)).to.equal(undefined)
    })

    it('rejects a larger body, with or without a content length', async () => {
      const withLength = await against((_, response) => void response.end(padded(mebibyte + 1)))
      await expectUnavailable(withLength.client.fetchDecision(sessionId), /EXCEEDED_MAX_SIZE/)
      const chunked = await against((_, response) => {
        response.write('{')
        response.end(padded(mebibyte))
      })
      await expectUnavailable(chunked.client.fetchDecision(sessionId), /EXCEEDED_MAX_SIZE/)
    })

    it('rejects an endless response and stops reading it, also of an error', async () => {
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
        await expectUnavailable(client.fetchDecision(sessionId), /EXCEEDED_MAX_SIZE/)
        await allClosed(server)
      }
    })
  })
})
