import { execFile } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import { expect } from 'chai'
import { forTenant } from '#domain/scope.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { eventHeaders } from '#domain/webhook/signature.policy.ts'
import { statusListVectors } from '../../clients/status-list-vectors.ts'
import {
  ageVectors,
  evidenceVectors,
  expectedOutcome,
  headerVectors,
  onlineAges,
  optionErrors,
  optionVectors,
  responseVectors,
  tokenVectors,
  webhookVectors,
} from '../../clients/test-vectors.ts'
import { eventually } from '../../harness/eventually.ts'
import { listenLocally } from '../../harness/listen-locally.ts'
import { describeWith } from '../../harness/system-program.ts'
import { control, tenantClient } from '../../harness/tenant-client.ts'
import { createTestTenant } from '../../harness/test-service.ts'
import { useService, useTenant } from '../../harness/use-service.ts'
import { clientVersion, python, pythonEnv, pythonRequirement } from './python-program.ts'

type Outcome = Record<string, unknown>
type Call = [method: string, args?: unknown[], options?: Record<string, unknown>]

/** Returns the JSON that the script beside this file prints. */
async function runScript<Output>(input: unknown): Promise<Output> {
  return await new Promise((resolved, reject) => {
    const env = { PATH: process.env.PATH, ...pythonEnv }
    const child = execFile(python!, ['test/system/clients/call-client.py'], { env }, (error, stdout) => {
      if (error) reject(error)
      else resolved(JSON.parse(stdout) as Output)
    })
    child.stdin!.end(JSON.stringify(input))
  })
}

describeWith([pythonRequirement], 'The evidence of a month, for the Python client,', () => {
  it('has the verdict of each test vector, with the kept keys alone', async () => {
    const outcomes = await runScript<string[]>({ evidence: evidenceVectors })
    expect(evidenceVectors.map(({ name }, at) => `${name}: ${outcomes[at]}`)).to.deep.equal(
      evidenceVectors.map(({ name, reason }) => `${name}: ${reason}`),
    )
  })
})

describeWith([pythonRequirement], 'The webhooks of the Python client', () => {
  it('have the verdict of each test vector', async () => {
    const outcomes = await runScript<string[]>({ webhooks: webhookVectors })
    expect(webhookVectors.map(({ name }, at) => `${name}: ${outcomes[at]}`)).to.deep.equal(
      webhookVectors.map(({ name, reason }) => `${name}: ${reason}`),
    )
  })

  it('are found in the headers of gateways, which have lists, and nothing where there are none', async () => {
    const webhooks = headerVectors.map(({ headers }) => ({ ...webhookVectors[0]!, headers }))
    expect(await runScript<string[]>({ webhooks })).to.deep.equal(headerVectors.map(({ reason }) => reason))
  })

  it('have options with the verdict of each test vector, as the other clients', async () => {
    const messages = await runScript<string[]>({ options: optionVectors })
    for (const [at, { name, option, reason }] of optionVectors.entries()) {
      expect(messages[at], name).to.match(optionErrors[reason])
      const named = option.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
      if (reason !== 'ok')
        expect(messages[at], name)
          .to.contain(named)
          .and.not.match(/avk_|whsec_/)
    }
    const wrongs = ['baseUrl', 'apiKey', 'issuer', 'audience', 'secret'].map(option => ({ option, value: 7 }))
    expect(await runScript<string[]>({ options: wrongs })).not.to.include('')
  })

  it('are signed for tests as the service sends them', async () => {
    const secret = 'whsec_for_tests'
    const event = { event: 'verification.opened', status: 'denied', verification_id: 'v' }
    for (const fields of [{}, event]) {
      const signed = await runScript<{ headers: Record<string, string>; body: string }>({ secret, fields })
      const { event: type, data } = JSON.parse(signed.body)
      const { event: expected = 'verification.completed', status = 'approved' } = fields as Partial<
        typeof event
      >
      expect(type).to.equal(expected)
      expect(data).to.include({ status, confidence: 1, provider: 'veriff' })
      expect(new Headers(signed.headers)).to.deep.equal(new Headers(eventHeaders(type, signed.body, secret)))
    }
  })
})

for (const isAsync of [false, true]) {
  describeWith([pythonRequirement], `The Python client, ${isAsync ? 'with asyncio' : 'in a thread'}`, () => {
    const service = useService()
    const tenant = useTenant(service)
    const client = () => tenantClient(service, tenant)
    const optionsWith = (more: object) => ({ base_url: service.baseUrl, api_key: tenant.apiKey, ...more })
    const call = (calls: Call[], more: object = {}) =>
      runScript<Outcome[]>({ options: optionsWith(more), calls, isAsync })

    it('makes of each response of the test vectors what the other client makes of it', async () => {
      const outcomes = await runScript<object[]>({ responses: responseVectors, isAsync })
      for (const [at, vector] of responseVectors.entries())
        expect(outcomes[at], vector.name).to.deep.include(expectedOutcome(vector))
    })

    it('gives each token of the test vectors its verdict offline', async () => {
      const outcomes = await runScript<string[][][]>({ tokens: tokenVectors, isAsync })
      const expected = tokenVectors.map(({ name, verdict, reason }) =>
        verdict === 'undecided' ? `${name}: ServiceConnectionError` : `${name}: ${reason}`,
      )
      expect(tokenVectors.map(({ name }, at) => `${name}: ${outcomes[at]![0]![0]}`)).to.deep.equal(expected)
    })

    it('gives each token its verdict that may have an age at most', async () => {
      const tokens = ageVectors.map(({ maxAgeSeconds, ...vector }) => ({
        ...vector,
        steps: [[0, true, { max_age_seconds: maxAgeSeconds }]],
      }))
      const outcomes = await runScript<string[][][]>({ tokens, isAsync })
      expect(ageVectors.map(({ name }, at) => `${name}: ${outcomes[at]![0]![0]}`)).to.deep.equal(
        ageVectors.map(({ name, reason }) => `${name}: ${reason}`),
      )
    })

    it('takes the age of a token that the service says is valid from its own claim', async () => {
      const { baseUrl, close } = await scripted((_, response) => {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ valid: true, over18: true, reason: 'OK' }))
      })
      const ages = onlineAges()
      const calls = ages.map(({ token }): Call => ['validate_token', [token], { max_age_seconds: 3_600 }])
      const outcomes = await call(calls, { base_url: baseUrl }).finally(close)
      for (const [at, { name, reason }] of ages.entries()) {
        const isValid = reason === 'OK'
        expect(outcomes[at], name).to.include({ valid: isValid, over18: isValid, reason })
        expect(outcomes[at], name).to.have.nested.property('last_response.status', 200)
      }
    })

    it('uses a status list of any size that fits in 1 MiB, as the service spells it', async () => {
      const tokens = await statusListVectors()
      const outcomes = await runScript<string[][][]>({ tokens, isAsync })
      for (const [at, { name, reason }] of tokens.entries())
        expect(outcomes[at]![0]![0], name).to.equal(reason === 'OK' ? 'OK' : 'ServiceConnectionError')
    })

    it('uses keys for an hour and a list until it expires, while the service can not be reached', async () => {
      const offlineOnly = { check_revocation: false }
      const outcomes = await verifyLater('OK', [
        [0],
        [400, false],
        [400, false],
        [830, false],
        [850, false],
        [850, false, offlineOnly],
        [3_590, false, offlineOnly],
        [3_610, false, offlineOnly],
        [3_620],
      ])
      expect(outcomes[1]).to.deep.equal(['OK', 'jwks.json', '1'])
      expect(outcomes[2]).to.deep.equal(['OK'])
      const reasons = outcomes.map(([reason]) => reason)
      const none = 'ServiceConnectionError'
      expect(reasons).to.deep.equal(['OK', 'OK', 'OK', 'OK', none, 'OK', 'OK', none, none])
    })

    it('takes what is no text, as where a cookie is missing, or deeply nested, for malformed', async () => {
      const nested = `${Buffer.from('['.repeat(100_000)).toString('base64url')}.e30.`
      const tokens = [null, nested].map(token => ({ ...tokenVectors[0]!, token }))
      const malformed = [['TOKEN_MALFORMED']]
      expect(await runScript({ tokens, isAsync })).to.deep.equal([malformed, malformed])
    })

    /** Outcomes of the first vector with the reason, seconds later, with the service reachable or not. */
    async function verifyLater(reason: string, steps: [number, boolean?, object?][]): Promise<string[][]> {
      const vector = tokenVectors.find(each => each.reason === reason)!
      const given = steps.map(([seconds, isReachable = true, options = {}]) => [
        seconds,
        isReachable,
        options,
      ])
      const [outcomes] = await runScript<string[][][]>({ tokens: [{ ...vector, steps: given }], isAsync })
      return outcomes!
    }

    it('starts a verification, once for an idempotency key, and says what the response says', async () => {
      const user = { ip: '203.0.113.7', user_agent: 'Mozilla/5.0' }
      const key = `order-${isAsync}`
      const [first, again, other] = await call([
        ['start', [], { ...user, idempotency_key: key }],
        ['start', [], { ...user, idempotency_key: key }],
        ['start', [], user],
      ])
      expect(first).to.include({ status: 'started', provider: 'veriff' })
      expect(first!.session_url).to.match(/^http/)
      expect(again).to.include({ verification_id: first!.verification_id, session_url: first!.session_url })
      expect(other!.verification_id).not.to.equal(first!.verification_id)
      expect(first).to.have.nested.property('last_response.replayed', false)
      expect(again).to.have.nested.property('last_response.replayed', true)
      expect(again)
        .to.have.nested.property('last_response.request_id')
        .match(/^[0-9a-f-]{36}$/)
      expect(again!.last_response).to.have.nested.property('rate_limit.limit').greaterThan(0)
    })

    it('iterates over changes to the last one, each with the cursor to go on with', async () => {
      const other = await createTestTenant(service)
      const ids: string[] = []
      for (let n = 0; n < 3; n++) ids.push(await tenantClient(service, other).decided('approve-minor'))
      // Transactions of other tests, in the same cluster, hold them back.
      const listed = () => tenantClient(service, other).send('/verifications?limit=100')
      await eventually(listed, { until: ({ body }) => body.items.length === ids.length })
      const [all] = await call([['changes', [], { follow: false }]], { api_key: other.apiKey })
      const changes = all as unknown as Record<string, unknown>[]
      expect(changes.map(change => change.verification_id)).to.deep.equal(ids)
      expect(changes[0]).to.include({ status: 'approved', over18: false, token: null, cursor: '' })
      expect(changes[0]!.updated_at).to.equal(changes[0]!.completed_at)
      const [second, last] = changes.slice(1) as { cursor: string }[]
      const [then, none] = await call(
        [second, last].map(one => ['changes', [one!.cursor], { follow: false }]),
        { api_key: other.apiKey },
      )
      expect(then).to.deep.equal(changes)
      expect(none).to.deep.equal([])
    })

    it('reads statuses and validates tokens, and does not take an approved minor for an adult', async () => {
      const adult = await client().decided('approve-adult')
      const minor = await client().decided('approve-minor')
      const { body } = await client().status(adult)
      const { token: tokenOfMinor } = (await client().status(minor)).body
      const { body: pending } = await client().start()
      const results = await call([
        ['status', [adult]],
        ['wait_for_completion', [minor]],
        ['status', [pending.verificationId]],
        ['submit', [pending.verificationId]],
        ['validate_token', [body.token]],
        ['validate_token', [tokenOfMinor]],
        ['validate_token', ['no token']],
      ])
      expect(results[0]).to.deep.include({
        verification_id: adult,
        status: 'approved',
        over18: true,
        confidence: 1,
        created_at: body.createdAt,
        completed_at: body.completedAt,
        token: body.token,
        token_revoked_at: null,
      })
      expect(results[1]).to.include({ status: 'approved', over18: false })
      expect(results[2]).to.include({ status: 'pending', over18: null, completed_at: null, token: null })
      expect(results[3]).to.include({ status: 'pending', over18: null })
      await revokeToken(forTenant(service.operator(), tenant.tenantId), { verificationId: adult })
      const [revoked] = await call([['status', [adult]]])
      const { tokenRevokedAt } = (await client().status(adult)).body
      expect(tokenRevokedAt).to.be.a('string')
      expect(revoked).to.include({ over18: null, token: null, token_revoked_at: tokenRevokedAt })
      expect(results[4]).to.include({ valid: true, over18: true, reason: 'OK' })
      expect(results[5]).to.include({ valid: false, over18: false, reason: 'UNDERAGE_OR_UNKNOWN' })
      expect(results[6]).to.include({ valid: false, over18: false, reason: 'TOKEN_NOT_FOUND' })
    })

    it('waits through a resubmission, and reports each status', async () => {
      const { verificationId } = (await client().start()).body
      /** The outcome of a call that waits until the decision. */
      async function decideDuring(waiting: Call, outcome: string): Promise<Outcome> {
        const outcomes = call([waiting])
        await eventually(() => service.waits.count > 0)
        await control(service, verificationId, 'decide', { outcome })
        return (await outcomes)[0]!
      }
      const resubmission = await decideDuring(
        ['wait_for_completion', [verificationId], { reports: true, stop_at_resubmission: true }],
        'resubmission',
      )
      expect(resubmission).to.include({ status: 'resubmission', completed_at: null })
      expect(resubmission.statuses).to.deep.equal(['pending', 'resubmission'])
      const changed = await decideDuring(
        ['wait_for_change', [verificationId], { from_status: 'resubmission' }],
        'approve-adult',
      )
      expect(changed).to.include({ status: 'approved', over18: true })
      const [completed] = await call([['wait_for_completion', [verificationId], { reports: true }]])
      expect(completed).to.include({ status: 'approved', over18: true })
      expect(completed!.statuses).to.deep.equal(['approved'])
    })

    it('raises the errors of the service, with their details', async () => {
      const [error] = await call([['status', ['not-an-id']]])
      expect(error).to.include({ error: 'AgeVerificationError', code: 'INVALID_PARAMETERS', status: 400 })
      expect(error).to.have.nested.property('details.issues[0].path', 'verificationId')
      expect(error!.request_id).to.match(/^[0-9a-f-]{36}$/)
    })

    it('tells failures of the connection apart, retries what passes, and follows no redirect', async () => {
      const requests: string[] = []
      const { baseUrl, close } = await scripted(({ url = '', headers }, response) => {
        const id = new URL(url, service.baseUrl).searchParams.get('verificationId') ?? url
        requests.push(`${id} ${headers['x-tenant-api-key'] === tenant.apiKey} ${headers['user-agent']}`)
        if (id === 'hang') return
        if (id === 'redirect') response.writeHead(302, { location: `${service.baseUrl}${url}` }).end()
        else if (id === 'other') response.end('{}')
        else response.writeHead(503, { 'retry-after': id === 'late' ? '11' : '0' }).end('<html>')
      })
      const outcomes = await call(
        [
          ['status', ['redirect']],
          ['status', ['other']],
          ['status', ['late']],
          ['status', ['unavailable']],
          ['status', ['hang'], { timeout: 0.1, retries: 0 }],
          ['status', ['unavailable'], { retries: 1 }],
        ],
        { base_url: baseUrl },
      )
      await close()
      const error = 'ServiceConnectionError'
      const invalid = { error, reason: 'invalid_response' }
      expect(outcomes[0]).to.include({ ...invalid, status: 302 })
      expect(outcomes[1]).to.include({ ...invalid, status: 200 })
      expect(outcomes[2]).to.include({ ...invalid, status: 503, retry_after_seconds: 11 })
      expect(outcomes[3]).to.include({ ...invalid, status: 503 })
      expect(outcomes[4]).to.include({ error, reason: 'timeout' })
      const ids = [
        'redirect',
        'other',
        'late',
        ...Array(3).fill('unavailable'),
        'hang',
        ...Array(2).fill('unavailable'),
      ]
      expect(requests).to.deep.equal(ids.map(id => `${id} true age-verification-python/${clientVersion}`))
      const [unreachable] = await call([['status', ['x'], { retries: 0 }]], { base_url: baseUrl })
      expect(unreachable).to.include({ error, reason: 'network' })
    })

    it('retries a start with the idempotency key of the first attempt', async () => {
      const keys: unknown[] = []
      const { baseUrl, close } = await scripted(({ headers }, response) => {
        keys.push(headers['idempotency-key'])
        response.writeHead(503, { 'retry-after': '0' }).end()
      })
      await call([['start'], ['start', [], { idempotency_key: 'mine', retries: 0 }]], { base_url: baseUrl })
      await close()
      expect(keys).to.have.length(4)
      expect(keys[0]).to.match(/^[0-9a-f-]{36}$/)
      expect(new Set(keys.slice(0, 3)).size).to.equal(1)
      expect(keys[3]).to.equal('mine')
    })
  })
}

/** Something that is in the place of the service. */
async function scripted(listener: RequestListener) {
  const { url: baseUrl, close } = await listenLocally(createServer(listener))
  return { baseUrl, close }
}
