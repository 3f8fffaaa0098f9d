import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { expect } from 'chai'
import {
  AgeVerificationClient,
  AgeVerificationError,
  type Hooks,
  type RequestEvent,
  type ResponseEvent,
  version,
} from '#clients/typescript/src/index.ts'
import {
  apiKey,
  baseUrl,
  clientWith,
  completedFields,
  errorOf,
  errorResponse,
  statusResponse,
} from './scripted-fetch.ts'
import { onlineAges } from './test-vectors.ts'

const started = {
  status: 201,
  json: { verificationId: 'v', sessionUrl: 'https://veriff.example', status: 'started' },
}

describe('Requests of the TypeScript client', () => {
  it('have the API key and the fields that were given, and follow no redirect', async () => {
    const { client, requests } = clientWith(started)
    await client.start({ ip: '203.0.113.7', userAgent: undefined }, { idempotencyKey: 'order-17' })
    const [{ url, method, headers, body, redirect }] = requests as [(typeof requests)[0]]
    expect({ url, method, redirect }).to.deep.equal({
      url: `${baseUrl}/verify/start`,
      method: 'POST',
      redirect: 'manual',
    })
    expect(headers.get('x-tenant-api-key')).to.equal(apiKey)
    expect(headers.get('content-type')).to.equal('application/json')
    expect(headers.get('idempotency-key')).to.equal('order-17')
    expect(JSON.parse(body as string)).to.deep.equal({ ip: '203.0.113.7' })
  })

  it('are kept in no cache, and say so only where the runtime knows the option', async () => {
    const { client, requests } = clientWith(statusResponse('pending'))
    await client.status('v')
    const known = Object.getOwnPropertyDescriptor(Request.prototype, 'cache')!
    try {
      Reflect.deleteProperty(Request.prototype, 'cache')
      await client.status('v')
    } finally {
      Object.defineProperty(Request.prototype, 'cache', known)
    }
    expect(requests.map(({ cache }) => cache)).to.deep.equal(['no-store', undefined])
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

  it('to start are not made with an idempotency key that is no header', async () => {
    const { client, requests } = clientWith(started)
    // A key that all users share gives them one verification.
    for (const idempotencyKey of ['', 'order 17', 'Auftrag-ä', 'x'.repeat(256), null as never, 17 as never]) {
      expect(await errorOf(client.start({}, { idempotencyKey }))).to.be.instanceOf(TypeError)
    }
    expect(requests).to.deep.equal([])
  })

  it('to validate a token take its age from its own claim, once the service says that it is valid', async () => {
    const { client, requests } = clientWith({
      status: 200,
      json: { valid: true, over18: true, reason: 'OK' },
    })
    for (const { name, token, reason } of onlineAges()) {
      const isValid = reason === 'OK'
      const expected = { valid: isValid, over18: isValid, reason }
      const validation = await client.validateToken(token, { maxAgeSeconds: 3_600 })
      expect(validation, name).to.deep.equal(expected)
      expect(validation.lastResponse.status).to.equal(200)
      expect(JSON.parse(requests.at(-1)!.body as string)).to.deep.equal({ token })
      expect(await client.validateToken(token), name).to.include({ valid: true })
    }
    const revoked = { valid: false, over18: false, reason: 'TOKEN_REVOKED' }
    const other = clientWith({ status: 200, json: revoked }).client
    expect(await other.validateToken('no token', { maxAgeSeconds: 1 })).to.deep.equal(revoked)
  })

  it('name the client and its version', async () => {
    const { client, requests } = clientWith(statusResponse('pending'))
    await client.status('v')
    expect(version).to.equal(JSON.parse(readFileSync('clients/typescript/package.json', 'utf8')).version)
    expect(requests[0]!.headers.get('user-agent')).to.equal(`age-verification-client/${version}`)
  })

  it('have the fields that the client does not know, so that the service rejects them', async () => {
    const { client, requests } = clientWith(started)
    const endUser = { ip: '203.0.113.7', metadata: { order: 17 } }
    await client.start(endUser)
    expect(JSON.parse(requests[0]!.body as string)).to.deep.equal(endUser)
    // @ts-expect-error It is no field of an end user.
    await client.start({ metadata: { order: 17 } })
  })

  it('have a timeout and retries of their own, where a call says so', async () => {
    const { client, requests } = clientWith('hang')
    const error = await errorOf(client.status('v', { timeoutMs: 20, retries: 0 }))
    expect(error).to.include({ reason: 'timeout', message: 'No response within 20 ms.' })
    expect(requests).to.have.length(1)
    const failing = clientWith('unreachable')
    await errorOf(failing.client.validateToken('t', { retries: { retriesMax: 3 } }))
    expect(failing.requests).to.have.length(4)
  })

  it('are not made in a browser, where everybody can read the API key, unless that is wanted', () => {
    const { options } = clientWith('unreachable')
    const page = { window: {}, document: {} }
    Object.assign(globalThis, page)
    try {
      expect(() => new AgeVerificationClient(options)).to.throw(TypeError, 'everybody could read the API key')
      new AgeVerificationClient({ ...options, dangerouslyAllowBrowser: true })
    } finally {
      for (const name of Object.keys(page)) Reflect.deleteProperty(globalThis, name)
    }
  })
})

describe('Responses to the TypeScript client', () => {
  it('have their request id, rate limit, and whether they are repeated, beside the result', async () => {
    const headers = {
      'x-request-id': 'a8098c1a-f86e-41da-bd1a-00112444be1e',
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '59',
      'x-ratelimit-reset': '1769860800',
      'idempotent-replayed': 'true',
    }
    const { client } = clientWith({ ...started, headers })
    const result = await client.start()
    expect(result.lastResponse).to.deep.equal({
      status: 201,
      requestId: headers['x-request-id'],
      rateLimit: { limit: 60, remaining: 59, resetsAt: new Date('2026-01-31T12:00:00Z') },
      replayed: true,
    })
    expect({ ...result }).to.deep.equal(started.json)
    const bare = await clientWith(statusResponse('pending')).client.status('v')
    const unknown = { requestId: undefined, rateLimit: undefined, replayed: false }
    expect(bare.lastResponse).to.deep.equal({ status: 200, ...unknown })
  })

  it('are reported attempt by attempt, without a secret', async () => {
    const { options } = clientWith('unreachable', errorResponse(500, 'INTERNAL_ERROR'), started)
    const sent: RequestEvent[] = []
    const ended: ResponseEvent[] = []
    const hooks: Hooks = { onRequest: event => sent.push(event), onResponse: event => ended.push(event) }
    await new AgeVerificationClient({ ...options, ...hooks }).start({ ip: '203.0.113.7' })
    const request = { method: 'POST', path: '/verify/start' }
    expect(sent).to.deep.equal([1, 2, 3].map(attempt => ({ ...request, attempt })))
    expect(
      ended.map(({ attempt, response, error }) => [attempt, response?.status, error?.name]),
    ).to.deep.equal([
      [1, undefined, 'ServiceConnectionError'],
      [2, 500, 'AgeVerificationError'],
      [3, 201, undefined],
    ])
    expect(ended.every(({ durationMs }) => durationMs >= 0)).to.equal(true)
    expect(inspect([sent, ended], { depth: 9 }))
      .not.to.contain(apiKey)
      .and.not.to.contain('203.0.113.7')
  })
})

/** The vectors of responses say of each how often it is asked for: `responses.test.ts`. */
describe('Failed requests of the TypeScript client', () => {
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

  it('accept no status of another verification, as of a cache that ignores the query', async () => {
    const { client } = clientWith(statusResponse('approved', completedFields))
    const calls = [
      client.status('w'),
      client.submit('w'),
      client.waitForCompletion('w'),
      client.waitForChange('w', { from: 'pending' }),
    ]
    for (const call of calls)
      expect(await errorOf(call)).to.include({ reason: 'invalid_response', status: 200 })
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
      const { client, requests } = clientWith(scripted)
      const shown = inspect([client, await errorOf(client.status('v'))], { depth: 9, showHidden: true })
      expect(shown).not.to.contain(apiKey)
      expect(requests).to.have.length(scripted === 'unreachable' ? 3 : 1)
    }
  })
})
