import type { IncomingMessage, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { DeletionRejected, type ProviderUnavailable } from '#domain/ports.ts'
import {
  addressOf,
  against,
  apiKey,
  clientOf,
  closeAll,
  created,
  expectUnavailable,
  respondJson,
  sessionRequest,
  sessionUrl,
} from './client-harness.ts'
import { sessionId, vendorData } from './payloads.ts'

const unknownSession = { status: 'fail', code: '1104', message: 'Session not found' }

describe('Veriff client', () => {
  afterEach(closeAll)

  describe('creating a session', () => {
    async function requestOf(callback: string | undefined) {
      let seen: { request: IncomingMessage; body: string } | undefined
      const { client } = await against(async (request, response) => {
        seen = { request, body: await text(request) }
        respondJson(response, 201, created)
      })
      const session = await client.createSession({ verificationId: vendorData, callback })
      return { session, ...seen! }
    }

    it('sends the verification and an https return URL, and nothing else, and returns the session id and URL', async () => {
      const { session, request, body } = await requestOf('https://shop.example/back?a=1')
      expect(session).to.deep.equal({ providerSessionId: sessionId, sessionUrl })
      expect(request.method).to.equal('POST')
      expect(request.url).to.equal('/v1/sessions')
      expect(request.headers).to.include({ 'content-type': 'application/json', 'x-auth-client': apiKey })
      expect(JSON.parse(body)).to.deep.equal({
        verification: { callback: 'https://shop.example/back?a=1', vendorData },
      })
      const trial = await requestOf('http://localhost/return')
      expect(JSON.parse(trial.body)).to.deep.equal({ verification: { vendorData } })
    })

    const unreadable: [string, string, RegExp?][] = [
      ['half an object', '{"verification":', /not in its own form/],
      ['no verification', '{"status":"success"}'],
      ['an invalid id', JSON.stringify({ verification: { id: 'a/b c', url: sessionUrl } })],
      ['a javascript: URL', JSON.stringify({ verification: { id: sessionId, url: 'javascript:alert(1)' } })],
    ]
    for (const [what, body, reason = /unreadable response/] of unreadable) {
      it(`rejects a response with ${what}`, async () => {
        const { client } = await against((_, response) => void response.writeHead(201).end(body))
        await expectUnavailable(client.createSession(sessionRequest), reason)
      })
    }

    it('reports the status and a four-digit code, and nothing else of the body', async () => {
      const failures: [number, unknown, RegExp][] = [
        [400, { status: 'fail', code: '1302', message: 'secret-token' }, /returned 400 with code 1302$/],
        [
          401,
          { status: 401, code: 1802, message: apiKey },
          /returned 401 with code 1802, the API key is unknown$/,
        ],
        [404, { status: 'fail', code: 'ANNA EXAMPLE' }, /returned 404, but not/],
        [429, null, /returned 429$/],
        [500, { code: { toString: 1, valueOf: 1 } }, /returned 500$/],
        [503, [], /returned 503$/],
      ]
      for (const [status, body, reason] of failures) {
        const { client } = await against((_, response) => respondJson(response, status, body))
        await expectUnavailable(client.createSession(sessionRequest), reason)
      }
    })

    // The client's clock is at 2026-11-20T12:00:00Z, a Friday.
    const waits: [status: number, retryAfter: string | string[] | undefined, ms: number | undefined][] = [
      [429, '12', 12_000],
      [429, ' 12 ', 12_000],
      [429, '1.5', 1_500],
      [429, '86400', 3_600_000],
      [429, '0', 1_000],
      [429, 'Fri, 20 Nov 2026 12:00:09 GMT', 9_000],
      [429, 'Friday, 20-Nov-26 12:00:09 GMT', 9_000],
      [429, 'Fri Nov 20 12:00:09 2026', 9_000],
      [429, 'Fri, 20 Nov 2026 11:00:00 GMT', 1_000],
      [429, 'Fri, 20 Nov 2099 12:00:00 GMT', 3_600_000],
      [429, '', 5_000],
      [429, '-1', 5_000],
      [429, 'soon', 5_000],
      [429, 'in 7', 5_000],
      [429, 'Fri, 99 Nov 2026 12:00:09 GMT', 5_000],
      [429, undefined, 5_000],
      [429, ['7', '90'], 7_000],
      [503, '12', 12_000],
      [503, '0', 1_000],
      [503, 'Fri, 20 Nov 2026 12:00:09 GMT', 9_000],
      [503, 'soon', 5_000],
      [503, undefined, undefined],
      [500, '12', undefined],
      [404, '12', undefined],
    ]
    for (const [status, retryAfter, ms] of waits) {
      it(`waits ${ms === undefined ? 'as it chooses' : `${ms} ms`} after ${status} with Retry-After ${JSON.stringify(retryAfter)}`, async () => {
        const { client } = await against((_, response) => {
          if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
          response.writeHead(status).end()
        })
        const error = await client.createSession(sessionRequest).catch((thrown: unknown) => thrown)
        expect((error as ProviderUnavailable).retryAfterMs).to.equal(ms)
      })
    }
  })

  describe('base URL', () => {
    const bases = [
      ['', '/v1/sessions'],
      ['/v1', '/v1/sessions'],
      ['/v1//', '/v1/sessions'],
      ['/proxy/v1/', '/proxy/v1/sessions'],
    ]
    for (const [base, expected] of bases) {
      it(`can end with "${base}"`, async () => {
        const paths: (string | undefined)[] = []
        const { server } = await against((request, response) => {
          paths.push(request.url)
          respondJson(response, 200, request.method === 'POST' ? created : { verification: null })
        })
        const client = clientOf(`${addressOf(server)}${base}`)
        await client.createSession(sessionRequest)
        await client.fetchDecision(sessionId, vendorData)
        expect(paths).to.deep.equal([expected, `${expected}/${sessionId}/decision`])
      })
    }
  })

  describe('fetching the decision', () => {
    const responding = (status: number, value: unknown) =>
      against((_, response) => respondJson(response, status, value))

    it('rejects a response without a decision, instead of reporting that there is none yet', async () => {
      for (const body of [null, 'none', {}, { verification: [] }, { verification: {} }]) {
        const { client } = await responding(200, body)
        await expectUnavailable(client.fetchDecision(sessionId, vendorData), /unreadable response/)
      }
      const { client } = await responding(400, { status: 'fail', code: '1002' })
      await expectUnavailable(client.fetchDecision(sessionId, vendorData), /returned 400 with code 1002$/)
    })
  })

  describe('deleting a session', () => {
    const rejectionBy = async (listener: RequestListener) => {
      const { client } = await against(listener)
      const error = await client.deleteSession(sessionId).catch(thrown => thrown)
      expect(error).to.be.instanceOf(DeletionRejected)
      return error.rejection
    }

    for (const [rejection, status, code] of [
      ['in_progress', 400, '1305'],
      ['in_progress', 400, '1306'],
      ['not_enabled', 400, '1301'],
      ['rate_limited', 429, ''],
    ] as const) {
      it(`throws ${rejection} for ${status} ${code}`, async () => {
        const respond: RequestListener = (_, response) => respondJson(response, status, { status, code })
        expect(await rejectionBy(respond)).to.equal(rejection)
      })
    }

    it('takes 404 for a rejection if the session can still be read', async () => {
      const rejection = await rejectionBy((request, response) =>
        request.method === 'GET'
          ? respondJson(response, 200, { verification: null })
          : respondJson(response, 404, unknownSession),
      )
      expect(rejection).to.equal('not_enabled')
    })

    it('rejects any other response', async () => {
      for (const [status, code] of [
        [400, '1002'],
        [401, '1803'],
        [500, ''],
      ] as const) {
        const { client } = await against((_, response) => respondJson(response, status, { code }))
        await expectUnavailable(client.deleteSession(sessionId), new RegExp(`returned ${status}`))
      }
    })
  })

  it('asks for sessions, decisions and deletions, and for no pictures', async () => {
    const { client } = await against((_, response) => response.end())
    const calls = ['createSession', 'pollSession', 'fetchDecision', 'deleteSession']
    expect(client).to.have.all.keys('name', ...calls, 'secretInUse', 'close')
  })

  it('signs the id of a session that it reads or deletes, and answers whether it was known', async () => {
    const seen: unknown[] = []
    let status = 200
    const { client } = await against(({ method, url, headers }, response) => {
      seen.push([method, url, headers['x-auth-client'], headers['x-hmac-signature']])
      respondJson(
        response,
        status,
        status === 404 ? unknownSession : { status: 'success', verification: null },
      )
    })
    const id = 'aea9ba6d-1b47-47fc-a4fc-f72b6d3584a7'
    const signed = [apiKey, '895cb3fd31139d89aeb7b263682e15479ab57651e70591256ad2c14fde4950dd']
    expect(await client.fetchDecision(id, vendorData)).to.equal(undefined)
    expect(await client.deleteSession(id)).to.equal('deleted')
    status = 404
    expect(await client.deleteSession(id)).to.equal('unknown')
    expect(seen).to.deep.equal([
      ['GET', `/v1/sessions/${id}/decision`, ...signed],
      ['DELETE', `/v1/sessions/${id}`, ...signed],
      ['DELETE', `/v1/sessions/${id}`, ...signed],
      ['GET', `/v1/sessions/${id}/decision`, ...signed],
    ])
  })
})
