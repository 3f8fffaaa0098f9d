import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { signature } from '#server/providers/veriff/signature.ts'
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
import { approved, decisionBody, sessionId, vendorData } from './payloads.ts'

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
        expect((await client.fetchDecision(sessionId, vendorData))?.outcome).to.equal('approved')
      })
    }

    for (const [what, headers] of Object.entries<Record<string, string | string[]>>({
      'with an invalid signature': { 'x-auth-client': apiKey, 'vrf-hmac-signature': invalid },
      'whose signature is empty': { 'x-hmac-signature': '' },
      'with a repeated signature': { 'x-hmac-signature': [good, good] },
    })) {
      it(`rejects a response ${what}`, async () => {
        const { client } = await signed(headers)
        await expectUnavailable(client.fetchDecision(sessionId, vendorData), /invalid signature/)
      })
    }

    it('rejects a session URL, and a 404 response, with an invalid signature', async () => {
      const headers = { 'x-hmac-signature': invalid }
      const session = (await signed(headers, 201, JSON.stringify(created))).client
      await expectUnavailable(session.createSession(sessionRequest), /invalid signature/)
      const unknown = (await signed(headers, 404, '{}')).client
      await expectUnavailable(unknown.fetchDecision(sessionId, vendorData), /invalid signature/)
    })
  })

  describe('codings that nobody asked for', () => {
    const plain = Buffer.from(decided)
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain])
    const codings: [coding: string, bytes: Buffer][] = [
      ['gzip', gzipSync(plain)],
      ['GZIP', gzipSync(plain)],
      ['x-gzip', gzipSync(plain)],
      ['deflate', deflateSync(plain)],
      ['br', brotliCompressSync(plain)],
      ['gzip, identity', gzipSync(plain)],
      ['deflate, gzip', gzipSync(deflateSync(plain))],
      ['gzip', gzipSync(marked)],
      ['gzip', plain], // a proxy has decoded it
      ['Identity', plain],
      ['UTF-8', plain],
      ['', marked],
      ['', plain],
    ]
    for (const [coding, bytes] of codings) {
      const form = bytes.equals(plain) ? 'plain' : bytes.equals(marked) ? 'a byte order mark' : 'encoded'
      it(`accepts "${coding}" (${form}), signed before or after the coding, or not at all`, async () => {
        const signatures = [
          {},
          { 'x-hmac-signature': signature(bytes, secret) },
          ...(form === 'encoded' && bytes !== codings[7]![1]
            ? [{ 'x-hmac-signature': signature(plain, secret) }]
            : []),
        ]
        for (const headers of signatures) {
          const { client } = await against((_, response) =>
            response.writeHead(200, { 'content-encoding': coding, ...headers }).end(bytes),
          )
          expect(await client.fetchDecision(sessionId, vendorData)).to.deep.equal(approved)
        }
      })
    }

    it('rejects one that is cut short, too long when decoded, or coded again and again', async () => {
      const bomb = gzipSync(Buffer.alloc(1024 * 1024 + 1, ' '))
      let nested = gzipSync(plain)
      for (let times = 0; times < 9; times += 1) nested = gzipSync(nested)
      for (const [coding, bytes] of [
        ['gzip', gzipSync(plain).subarray(0, -9)],
        ['gzip', bomb],
        [Array.from({ length: 10 }, () => 'gzip').join(), nested],
      ] as const) {
        const { client } = await against((_, response) =>
          response.writeHead(200, { 'content-encoding': coding }).end(bytes),
        )
        const call = client.fetchDecision(sessionId, vendorData)
        expect((await expectUnavailable(call, /returned 200, but not/)).failure).to.equal('foreign_response')
      }
    })
  })

  describe('size of responses', () => {
    const mebibyte = 1024 * 1024
    const padded = (bytes: number) => {
      const [head, tail] = ['{"verification":null,"padding":"', '"}']
      return `${head}${'x'.repeat(bytes - head.length - tail.length)}${tail}`
    }

    it('rejects a larger body, with or without a content length', async () => {
      const withLength = await against((_, response) => void response.end(padded(mebibyte + 1)))
      await expectUnavailable(withLength.client.fetchDecision(sessionId, vendorData), /EXCEEDED_MAX_SIZE/)
      const chunked = await against((_, response) => {
        response.write('{')
        response.end(padded(mebibyte))
      })
      await expectUnavailable(chunked.client.fetchDecision(sessionId, vendorData), /EXCEEDED_MAX_SIZE/)
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
        await expectUnavailable(client.fetchDecision(sessionId, vendorData), /EXCEEDED_MAX_SIZE/)
        await allClosed(server)
      }
    })
  })
})
