import { expect } from 'chai'
import { definePlan } from '#domain/plan/define-plan.ts'
import { status } from '#rest/verify/status.ts'
import { expectError } from '../harness/expect-error.ts'
import { type Call, tenantClient } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'

type Code = 'INVALID_REQUEST_BODY' | 'INVALID_PARAMETERS'

/** A query or a body, and what is said about it. */
type Wrong = [given: string, message: string]

const someId = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1'
const versionFour = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
const notAnId = 'must be the verificationId that start returned'
const otherVersion = `is not one of ours: it ${notAnId}, a UUID of version 7`

const parameters = Object.keys(status.query!.shape).join(', ')

const queries: Wrong[] = [
  ['', 'verificationId is required.'],
  ['?verificationId=', `verificationId ${notAnId}.`],
  ['?verificationId=x', `verificationId ${notAnId}.`],
  ['?verificationId={verificationId}', `verificationId ${notAnId}.`],
  ['?verificationId=undefined', `verificationId ${notAnId}.`],
  [`?verificationId=${versionFour}`, `verificationId ${otherVersion}.`],
  [`?verificationId=${versionFour.toUpperCase()}`, `verificationId ${otherVersion}.`],
  ['?verificationId=00000000-0000-0000-0000-000000000000', `verificationId ${otherVersion}.`],
  [`?verificationId=${someId}&verificationId=${someId}`, 'verificationId was sent twice; send it once.'],
  [
    `?${Array(3).fill(`verificationId=${someId}`).join('&')}`,
    'verificationId was sent 3 times; send it once.',
  ],
  [`?verificationId=${someId}&foo=1`, `foo is an unknown parameter; allowed: ${parameters}.`],
  [`?verification_id=${someId}`, 'verificationId is required. 1 more issue is in details.issues.'],
  [`?verificationId=${someId}&=1`, `The query has a parameter without a name; allowed: ${parameters}.`],
  [
    `?verificationId=${someId}&a&b&c`,
    `a is an unknown parameter; allowed: ${parameters}. 2 more issues are in details.issues.`,
  ],
]

const startBodies: Wrong[] = [
  ['[]', 'The body must be a JSON object, not an array.'],
  ['null', 'The body must be a JSON object, not null.'],
  ['"{}"', 'The body must be a JSON object, not a string.'],
  ['1', 'The body must be a JSON object, not a number.'],
  ['true', 'The body must be a JSON object, not a boolean.'],
  ['{"ip":null}', 'ip must be a string, not null.'],
  ['{"ip":1}', 'ip must be a string, not a number.'],
  ['{"ip":""}', 'ip must be an IPv4 or IPv6 address.'],
  ['{"ip":"localhost"}', 'ip must be an IPv4 or IPv6 address.'],
  ['{"ip":"fe80::1%eth0"}', 'ip must be an IPv4 or IPv6 address.'],
  [`{"ip":"${'1'.repeat(200)}"}`, 'ip must be an IPv4 or IPv6 address.'],
  ['{"ip":["203.0.113.9"]}', 'ip must be a string, not an array.'],
  ['{"userAgent":{}}', 'userAgent must be a string, not an object.'],
  ['{"userAgent":true}', 'userAgent must be a string, not a boolean.'],
  [`{"userAgent":"${'x'.repeat(1025)}"}`, 'userAgent must be at most 1024 characters.'],
  ['{"userAgent":"\\u0000"}', 'userAgent must be well-formed text without NUL.'],
  ['{"metadata":{}}', 'metadata is an unknown field; allowed: userAgent, ip.'],
  ['{"user_agent":"x"}', 'user_agent is an unknown field; allowed: userAgent, ip.'],
  ['{"":1}', 'The body has a field without a name; allowed: userAgent, ip.'],
  [
    '{"callback_url":"https://example.com","user_id":1,"ip":"x"}',
    'ip must be an IPv4 or IPv6 address. 2 more issues are in details.issues.',
  ],
]

const submitBodies: Wrong[] = [
  ['', 'The body is required, as JSON: {"verificationId": …}.'],
  ['{}', 'verificationId is required.'],
  ['{"verificationId":null}', 'verificationId must be a string, not null.'],
  ['{"verificationId":1}', 'verificationId must be a string, not a number.'],
  ['{"verificationId":"x"}', `verificationId ${notAnId}.`],
  [`{"verificationId":"${versionFour}"}`, `verificationId ${otherVersion}.`],
  [
    `{"verificationId":"${someId}","status":"submitted"}`,
    'status is an unknown field; allowed: verificationId.',
  ],
]

const validateBodies: Wrong[] = [
  ['', 'The body is required, as JSON: {"token": …}.'],
  ['{}', 'token is required.'],
  ['{"token":null}', 'token must be a string, not null.'],
  ['{"token":{"jwt":"x"}}', 'token must be a string, not an object.'],
  ['{"jwt":"x"}', 'token is required. 1 more issue is in details.issues.'],
  ['{"token":"x","audience":"y"}', 'audience is an unknown field; allowed: token.'],
]

/** A body that is not JSON, what is wrong with it, and where. */
const notJson: [body: string, problem: string, line: number, column: number][] = [
  ['{"ip":', 'unexpected end', 1, 7],
  ['   ', 'unexpected end', 1, 4],
  ['{"ip":"203.0.113.9"', 'unexpected end', 1, 20],
  ['{"ip":"203.0.113.9', 'invalid or unterminated string', 1, 7],
  ['{"ip":"a\nb"}', 'invalid or unterminated string', 1, 7],
  ['{"ip":"203.0.113.9",}', 'unexpected "}"', 1, 21],
  ["{'ip':1}", `unexpected "'"`, 1, 2],
  ['{ip:1}', 'unexpected "i"', 1, 2],
  ['{\n  "ip": "203.0.113.9"\n  "userAgent": "x"\n}', 'unexpected "\\""', 3, 3],
  ['{"userAgent":undefined}', 'unexpected "u"', 1, 14],
  ['ip=203.0.113.9', 'unexpected "i"', 1, 1],
  ['{}{}', 'unexpected "{"', 1, 3],
  ['\ufeff{}', 'unexpected character U+FEFF', 1, 1],
]

describe('The message about invalid input', () => {
  const service = useService()
  before(async () => {
    await definePlan(service.operator(), { name: 'fast', rateLimitPerMinute: 100_000 })
  })
  const tenant = useTenant(service, { plan: 'fast' })
  const client = tenantClient(service, tenant)

  async function expectMessage(path: string, call: Call, code: Code, message: string) {
    const response = await client.send(path, call)
    expectError(response, code)
    expect(response.body.message).to.equal(message)
    const { issues } = response.body.details
    const [first] = issues
    expect(
      message.startsWith(`${first.path || (code === 'INVALID_PARAMETERS' ? 'The query' : 'The body')} `),
    ).to.equal(true)
    expect(message).to.include(`${first.message}.`)
    expect(new Set(issues.map((issue: { path: string }) => issue.path)).size).to.equal(issues.length)
    return response.body
  }

  const json = { 'content-type': 'application/json' }
  const post = (raw: string, headers: Record<string, string> = json): Call => ({
    method: 'POST',
    raw,
    headers,
  })

  for (const [query, message] of queries) {
    it(`of GET /verify/status with ${JSON.stringify(query)}`, async () => {
      await expectMessage(`/verify/status${query}`, {}, 'INVALID_PARAMETERS', message)
    })
  }

  for (const [path, bodies] of [
    ['/verify/start', startBodies],
    ['/verify/submit', submitBodies],
    ['/tokens/validate', validateBodies],
  ] as const) {
    for (const [body, message] of bodies) {
      it(`of POST ${path} with ${JSON.stringify(body).slice(0, 60)}`, async () => {
        await expectMessage(path, post(body), 'INVALID_REQUEST_BODY', message)
      })
    }
  }

  for (const [body, problem, line, column] of notJson) {
    it(`has the position of what is not JSON in ${JSON.stringify(body)}`, async () => {
      const message = `The body must be valid JSON: ${problem} at line ${line}, column ${column}.`
      const { details } = await expectMessage('/verify/start', post(body), 'INVALID_REQUEST_BODY', message)
      expect(details).to.include({ line, column })
    })
  }

  for (const [type, message] of [
    ['text/plain', 'Content-Type must be application/json, not text/plain.'],
    [
      'application/x-www-form-urlencoded',
      'Content-Type must be application/json, not application/x-www-form-urlencoded.',
    ],
  ] as const) {
    it(`has the content type ${type}`, async () => {
      const call = post('{}', { 'content-type': type })
      const { details } = await expectMessage('/verify/start', call, 'INVALID_REQUEST_BODY', message)
      expect(details).to.deep.equal({
        issues: [{ path: 'Content-Type', message: message.slice('Content-Type '.length, -1) }],
      })
    })
  }

  it('says that a content type is required', async () => {
    const call: Call = { method: 'POST', raw: Buffer.from('{}') }
    const message = 'Content-Type is required: application/json.'
    await expectMessage('/verify/start', call, 'INVALID_REQUEST_BODY', message)
  })

  for (const [key, message] of [
    ['two words', 'idempotency-key must be 1 to 255 visible ASCII characters.'],
    ['x'.repeat(256), 'idempotency-key must be 1 to 255 visible ASCII characters.'],
  ] as const) {
    it(`of the Idempotency-Key ${key.slice(0, 10)}`, async () => {
      const call = post('{}', { ...json, 'idempotency-key': key })
      await expectMessage('/verify/start', call, 'INVALID_PARAMETERS', message)
    })
  }

  it('of an Idempotency-Key that was used with another body has the reason', async () => {
    await client.start({}, { 'idempotency-key': 'one' })
    const { status: code, body } = await client.start({ ip: '203.0.113.9' }, { 'idempotency-key': 'one' })
    expect(code).to.equal(400)
    expect(body).to.deep.include({
      error: 'INVALID_REQUEST_BODY',
      message:
        'The Idempotency-Key was used with another body in the last 24 hours. Use a new key for a new request.',
      details: {
        issues: [{ path: 'Idempotency-Key', message: 'was used with another body' }],
        reason: 'idempotency_key_reused',
      },
    })
  })
})
