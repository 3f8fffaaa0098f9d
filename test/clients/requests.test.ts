import { inspect } from 'node:util'
import { expect } from 'chai'
import {
  AgeVerificationClient,
  AgeVerificationError,
  ServiceConnectionError,
} from '#clients/typescript/src/index.ts'
import { TokenVerifier } from '#clients/typescript/src/offline/token-verifier.ts'
import {
  apiKey,
  baseUrl,
  clientWith,
  errorOf,
  errorResponse,
  type ScriptedResponse,
  statusResponse,
} from './scripted-fetch.ts'

const started = { status: 201, json: { verificationId: 'v', sessionUrl: 'https://veriff.example' } }

describe('Requests of the TypeScript client', () => {
  it('have the API key and the fields that were given, and follow no redirect', async () => {
    const { client, requests } = clientWith(started)
    await client.start({ ip: '203.0.113.7', userAgent: undefined })
    const [{ url, method, headers, body, redirect }] = requests as [(typeof requests)[0]]
    expect({ url, method, redirect }).to.deep.equal({
      url: `${baseUrl}/verify/start`,
      method: 'POST',
      redirect: 'manual',
    })
    expect(headers.get('x-tenant-api-key')).to.equal(apiKey)
    expect(headers.get('content-type')).to.equal('application/json')
    expect(JSON.parse(body as string)).to.deep.equal({ ip: '203.0.113.7' })
  })

  it('to start have an idempotency key of their own, which their retries share', async () => {
    const { client, requests } = clientWith('unreachable', errorResponse(500, 'INTERNAL_ERROR'), started)
    await client.start()
    await client.start()
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'))
    expect(keys).to.have.length(4)
    expect(keys[0]).to.match(/^[0-9a-f-]{36}$/)
    expect(new Set(keys.slice(0, 3)).size).to.equal(1)
    expect(keys[3]).not.to.equal(keys[0])
  })

  it("to start keep the caller's idempotency key", async () => {
    const { client, requests } = clientWith(started)
    await client.start({}, { idempotencyKey: 'order-17' })
    expect(requests[0]!.headers.get('idempotency-key')).to.equal('order-17')
  })

  it('to start are not made with an idempotency key that is no header', async () => {
    const { client, requests } = clientWith(started)
    for (const idempotencyKey of ['', 'order 17', 'Auftrag-ä', 'x'.repeat(256)]) {
      expect(await errorOf(client.start({}, { idempotencyKey }))).to.be.instanceOf(TypeError)
    }
    expect(requests).to.deep.equal([])
  })

  it('encode what the caller gives', async () => {
    const { client, requests } = clientWith(statusResponse('pending'))
    await client.status('a&wait=60#')
    expect(requests[0]!.url).to.equal(`${baseUrl}/verify/status?verificationId=a%26wait%3D60%23`)
  })

  it('go to a base URL with a path or a trailing slash', async () => {
    const { requests, options } = clientWith(statusResponse('pending'))
    await new AgeVerificationClient({ ...options, baseUrl: `${baseUrl}/age/` }).status('v')
    expect(requests[0]!.url).to.match(/^https:\/\/verify\.example\/age\/verify\/status\?/)
  })

  it('are not made with an API key that can only be wrong', () => {
    const { options } = clientWith('unreachable')
    for (const wrong of [{ apiKey: '' }, { apiKey: undefined as never }, { apiKey: 'avk_secret\nkey' }]) {
      expect(() => new AgeVerificationClient({ ...options, ...wrong })).to.throw(
        TypeError,
        /^((?!secret).)*$/,
      )
    }
  })

  it('are not made with a base URL or an issuer that is no http or https URL, and the error names the option', () => {
    const { options } = clientWith('unreachable')
    const rule = 'must be the http or https URL of the service, such as https://verify.example'
    for (const wrong of [undefined as never, '', 'verify.example', 'ftp://verify.example']) {
      expect(() => new AgeVerificationClient({ ...options, baseUrl: wrong })).to.throw(
        TypeError,
        `baseUrl ${rule}`,
      )
      expect(() => new TokenVerifier({ issuer: wrong })).to.throw(TypeError, `issuer ${rule}`)
    }
  })
})

describe('Failed requests of the TypeScript client', () => {
  const retried: [string, ScriptedResponse][] = [
    ['an unexpected error', errorResponse(500, 'INTERNAL_ERROR')],
    ['an unavailable cache', errorResponse(503, 'REDIS_ERROR')],
    ['the rate limit', errorResponse(429, 'RATE_LIMIT_EXCEEDED', { retryAfter: 0 })],
    ['a lost connection', 'unreachable'],
    ["a proxy's 502", { status: 502, text: '<html>Bad Gateway</html>' }],
  ]
  for (const [name, scripted] of retried) {
    it(`are repeated twice after ${name}`, async () => {
      const { client, requests } = clientWith(scripted, scripted, statusResponse('pending'))
      expect((await client.status('v')).status).to.equal('pending')
      expect(requests).to.have.length(3)
      const failing = clientWith(scripted)
      await errorOf(failing.client.status('v'))
      expect(failing.requests).to.have.length(3)
    })
  }

  const final: [string, ScriptedResponse][] = [
    ['a wrong parameter', errorResponse(400, 'INVALID_PARAMETERS')],
    ['a wrong key', errorResponse(401, 'UNAUTHENTICATED_TENANT')],
    ['an unpaid subscription', errorResponse(402, 'BILLING_INACTIVE')],
    ['an unknown verification', errorResponse(404, 'VERIFICATION_NOT_FOUND')],
    ['a quota, however soon its month ends', errorResponse(429, 'QUOTA_EXCEEDED', { retryAfter: 1 })],
    ['a hard limit', errorResponse(429, 'HARD_LIMIT_EXCEEDED', { retryAfter: 1 })],
    ['a longer delay than the cap', errorResponse(429, 'RATE_LIMIT_EXCEEDED', { retryAfter: 11 })],
    ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example' } }],
    ['a page that is not of the service', { status: 200, text: '<html>Welcome</html>' }],
  ]
  for (const [name, scripted] of final) {
    it(`are not repeated after ${name}`, async () => {
      const { client, requests } = clientWith(scripted)
      expect(await errorOf(client.status('v'))).to.be.instanceOf(Error)
      expect(requests).to.have.length(1)
    })
  }

  it('say what the service said, with the details of the code', async () => {
    const details = { issues: [{ path: 'verificationId', message: 'is required' }] }
    const { client } = clientWith(errorResponse(400, 'INVALID_PARAMETERS', { details }))
    const error = (await errorOf(client.status('v'))) as AgeVerificationError
    expect(error).to.be.instanceOf(AgeVerificationError)
    expect(error).to.include({ code: 'INVALID_PARAMETERS', status: 400, retryAfterSeconds: undefined })
    expect(error.requestId).to.equal('a8098c1a-f86e-41da-bd1a-00112444be1e')
    expect(error.message).to.equal('INVALID_PARAMETERS: A message.')
    expect(error.is('QUOTA_EXCEEDED')).to.equal(false)
    expect(error.is('INVALID_PARAMETERS') && error.details?.issues).to.deep.equal(details.issues)
  })

  it('say how long to wait', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString()
    for (const [retryAfter, expected] of [
      ['42', 42],
      ['soon', undefined],
      [date, 60],
    ] as const) {
      const { client } = clientWith({
        ...errorResponse(429, 'QUOTA_EXCEEDED'),
        headers: { 'retry-after': retryAfter },
      })
      const { retryAfterSeconds } = (await errorOf(client.status('v'))) as AgeVerificationError
      if (expected === undefined) expect(retryAfterSeconds).to.equal(undefined)
      else expect(retryAfterSeconds).to.be.closeTo(expected, 5)
    }
  })

  it('are told apart: no connection, no response in time, and a response of something else', async () => {
    const reasonOf = async (scripted: ScriptedResponse) => {
      const { options } = clientWith(scripted)
      const client = new AgeVerificationClient({ ...options, timeoutMs: 20, retries: { retriesMax: 0 } })
      const error = (await errorOf(client.status('v'))) as ServiceConnectionError
      expect(error).to.be.instanceOf(ServiceConnectionError)
      return error.reason
    }
    expect(await reasonOf('unreachable')).to.equal('network')
    expect(await reasonOf('hang')).to.equal('timeout')
    expect(await reasonOf({ status: 404, text: 'Not Found' })).to.equal('invalid_response')
  })

  it('end with the reason of the signal, during a request and during a pause', async () => {
    const reason = new Error('the user has left')
    for (const scripted of ['hang', 'unreachable'] as const) {
      const { options } = clientWith(scripted)
      const client = new AgeVerificationClient({ ...options, retries: { delayMs: 1e6, delayMsMax: 1e6 } })
      const controller = new AbortController()
      const failed = errorOf(client.status('v', { signal: controller.signal }))
      setImmediate(() => controller.abort(reason))
      expect(await failed).to.equal(reason)
    }
    const { client, requests } = clientWith('hang')
    expect(await errorOf(client.status('v', { signal: AbortSignal.abort(reason) }))).to.equal(reason)
    expect(requests).to.deep.equal([])
  })

  it('and the client itself show no API key', async () => {
    for (const scripted of ['unreachable', errorResponse(401, 'UNAUTHENTICATED_TENANT')] as const) {
      const { client } = clientWith(scripted)
      const shown = inspect([client, await errorOf(client.status('v'))], { depth: 9, showHidden: true })
      expect(shown).not.to.contain(apiKey)
    }
  })
})
