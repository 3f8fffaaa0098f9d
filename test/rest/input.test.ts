import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { DomainError } from '#domain/errors.ts'
import type { TenantEndpoint } from '#rest/endpoint.ts'
import { checkBody, checkParameters } from '#rest/input.ts'
import { validate } from '#rest/tokens/validate.ts'
import { start } from '#rest/verify/start.ts'
import { status } from '#rest/verify/status.ts'
import { submit } from '#rest/verify/submit.ts'
import { expectError, expectIssueAt } from '../harness/expect-error.ts'
import { sendRaw } from '../harness/raw-http.ts'
import { countRecords, noRecords } from '../harness/stored.ts'
import { type Call, tenantClient } from '../harness/tenant-client.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

/** A body or a query, and what is said about it. */
type Wrong = [given: string, message: string]

const someId = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1'
const versionFour = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
const notAnId = 'verificationId must be the verificationId that start returned.'
const otherVersion =
  'verificationId is not one of ours: it must be the verificationId that start returned, a UUID of version 7.'
const names = (count: number) => Array.from({ length: count }, (_, index) => index.toString(36))

const startBodies: Wrong[] = [
  ['[]', 'The body must be a JSON object, not an array.'],
  ['{"ip":"256.1.1.1"}', 'ip must be an IPv4 or IPv6 address.'],
  ['{"ip":null}', 'ip must be a string, not null.'],
  [`{"userAgent":"${'x'.repeat(1025)}"}`, 'userAgent must be at most 1024 characters.'],
  ['{"userAgent":"a\\u0000"}', 'userAgent must be well-formed text without NUL.'],
  ['{"userAgent":"a\\ud800b"}', 'userAgent must be well-formed text without NUL.'],
  ['{"constructor":{}}', 'constructor is an unknown field; allowed: userAgent, ip.'],
  [
    '{"callback_url":"https://example.com","user_id":1,"ip":"x"}',
    'ip must be an IPv4 or IPv6 address. 2 more issues are in details.issues.',
  ],
]

const submitBodies: Wrong[] = [
  ['{}', 'verificationId is required.'],
  ['{"verificationId":"x"}', notAnId],
  [`{"verificationId":"${versionFour}"}`, otherVersion],
]

const validateBodies: Wrong[] = [
  ['{"token":1}', 'token must be a string, not a number.'],
  ['{"Token":"x"}', 'token is required. 1 more issue is in details.issues.'],
]

const allowed = `allowed: ${Object.keys(status.query!.shape).join(', ')}`
const queries: Wrong[] = [
  ['', 'verificationId is required.'],
  ["verificationId=' or 1=1 --", notAnId],
  [`verificationId=${versionFour}`, otherVersion],
  [`verificationId=${someId}&verificationId=${someId}`, 'verificationId was sent twice; send it once.'],
  [`verificationId=${someId}&foo=1`, `foo is an unknown parameter; ${allowed}.`],
  ...['61', '-1', '1.5', '', '%2B1', '0x1'].map(
    (wait): Wrong => [
      `verificationId=${someId}&wait=${wait}`,
      'wait must be a whole number of seconds from 0 to 60.',
    ],
  ),
  [`verificationId=${someId}&=1`, `The query has a parameter without a name; ${allowed}.`],
]

/** Bodies that are not JSON. */
const notJson = [
  '{"ip":',
  '   ',
  '['.repeat(16_000),
  '{"ip":"a\nb"}',
  '{"ip":"\0"}',
  '{"ip":"203.0.113.9",}',
  "{'ip':1}",
  'NaN',
  '{}{}',
  `${Buffer.from('{}', 'utf16le')}`,
]

/** Expects an error whose message is about the first of its issues, and one issue for each path. */
function expectInvalid(read: () => unknown, code: DomainError['code'], message: string): DomainError {
  const error = thrownBy(read)
  expect({ code: error.code, message: error.message }).to.deep.equal({ code, message })
  const { issues } = error.details as { issues: Record<string, string>[] }
  const [first] = issues
  expect(message).to.include(`${first!.path || `The ${code === 'INVALID_PARAMETERS' ? 'query' : 'body'}`} `)
  expect(message).to.include(`${first!.message}.`)
  expect(new Set(issues.map(({ path }) => path)).size).to.equal(issues.length)
  return error
}

function thrownBy(read: () => unknown): DomainError {
  try {
    read()
  } catch (error) {
    if (error instanceof DomainError) return error
  }
  throw new Error('The input is valid, or fails for another reason.')
}

describe('The error of an invalid input', () => {
  const readBody = ({ body }: TenantEndpoint, text: string) => checkBody(body!.schema, JSON.parse(text))

  for (const [endpoint, bodies] of [
    [start, startBodies],
    [submit, submitBodies],
    [validate, validateBodies],
  ] as const) {
    for (const [body, message] of bodies) {
      it(`says what is wrong with the body of ${endpoint.path}: ${JSON.stringify(body).slice(0, 60)}`, () => {
        expectInvalid(() => readBody(endpoint, body), 'INVALID_REQUEST_BODY', message)
      })
    }
  }

  for (const [query, message] of queries) {
    it(`says what is wrong with the query of /verify/status: ${JSON.stringify(query).slice(0, 60)}`, () => {
      const parameters = new URLSearchParams(query)
      const given = [...parameters.keys()].map(name => {
        const all = parameters.getAll(name)
        return [name, all.length > 1 ? all : all[0]]
      })
      const read = () => checkParameters(status.query!, Object.fromEntries(given))
      expectInvalid(read, 'INVALID_PARAMETERS', message)
    })
  }

  it('has at most 100 issues, so that it is no larger than the request', () => {
    const json = JSON.stringify(Object.fromEntries(names(6_000).map(name => [name, 0])))
    const many = 'token is required. 99 more issues are in details.issues.'
    expectInvalid(() => readBody(validate, json), 'INVALID_REQUEST_BODY', many)
    const query = Object.fromEntries(names(2_000).map(name => [name, '']))
    const read = () => checkParameters(status.query!, query)
    const { details } = expectInvalid(read, 'INVALID_PARAMETERS', many.replace('token', 'verificationId'))
    expect(details?.issues).to.have.length(100)
  })
})

const json = { 'content-type': 'application/json' }
const post = (raw: string | Uint8Array, headers: Record<string, string> = json): Call => ({
  method: 'POST',
  raw,
  headers,
})
const compressed = 'The body must not be compressed.'
const typed = (type: string): [Call, string] => [
  post('{}', { 'content-type': type }),
  `Content-Type must be application/json, not ${type}.`,
]
const inCharset = (parameters: string, charset: string): [Call, string] => [
  post('{}', { 'content-type': `application/json${parameters}` }),
  `Content-Type must have no charset but utf-8, not ${charset}.`,
]
const wrongHeaders: [Call, message: string][] = [
  [post(gzipSync('{}'), { ...json, 'content-encoding': 'gzip' }), compressed],
  [post('{}', { ...json, 'content-encoding': 'zip' }), compressed],
  [post(gzipSync('{}')), 'The body must be UTF-8.'],
  [post(Buffer.from('{}'), {}), 'Content-Type is required: application/json.'],
  ...['text/plain', 'text/json', 'application/x-www-form-urlencoded', 'application/ld+json'].map(typed),
  ...['json', 'application/json, text/plain', 'multipart/form-data; boundary=a'].map(typed),
  ...['utf-16', 'UTF-16LE', 'iso-8859-1', 'us-ascii', 'bogus', 'utf-8, application/json'].map(charset =>
    inCharset(`;charset=${charset}`, charset),
  ),
  ...['; charset="utf-16"', '; Charset=utf-16', ';;charset=utf-16', '; x; charset=utf-16;'].map(parameters =>
    inCharset(parameters, 'utf-16'),
  ),
  [
    post('{}', { 'content-type': 'application/json; charset=utf-8; charset=utf-16' }),
    'Content-Type must have one charset.',
  ],
]

const inUtf8 = [
  '',
  ';',
  '; charset',
  '; charset=',
  ';charset=utf-8',
  '; charset=UTF-8;',
  '; charset="utf-8"',
  "; charset='utf-8'",
]

/** Bodies that are nested as deeply, or have as many fields, as fits. */
const largest = [
  `{"a":${'['.repeat(7_000)}${']'.repeat(7_000)}}`,
  `${'{"a":'.repeat(2_500)}1${'}'.repeat(2_500)}`,
  JSON.stringify(Object.fromEntries(names(1_500).map(name => [name, 1]))),
]

describe('A body of JSON', () => {
  const service = useService()
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)

  it('is JSON, and anything else is rejected without being repeated', async () => {
    for (const body of notJson) {
      const response = await client.send('/verify/start', post(body))
      expectError(response, 'INVALID_REQUEST_BODY')
      expect(response.body.message, body.slice(0, 60)).to.equal('The body must be valid JSON.')
      expect(response.body.details).to.deep.equal({ issues: [{ path: '', message: 'must be valid JSON' }] })
    }
    expect(await countRecords(service, tenant.tenantId)).to.deep.equal(noRecords)
  })

  it('is UTF-8: other bytes are rejected, also where they would be replaced by one character of as many bytes', async () => {
    for (const bytes of [[0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98], [0xfc]]) {
      const body = Buffer.from([...Buffer.from('{"userAgent":"'), ...bytes, ...Buffer.from('"}')])
      const response = await client.send('/verify/start', post(body))
      expectError(response, 'INVALID_REQUEST_BODY')
      expect(response.body.message).to.equal('The body must be UTF-8.')
    }
    const invalid = await client.send('/verify/start', post(Buffer.of(0x7b, 0xc3, 0x28)))
    expect(invalid.body.message).to.equal('The body must be UTF-8.')
    expect(await countRecords(service, tenant.tenantId)).to.deep.equal(noRecords)
    const replaced = await client.start({ userAgent: '\ufffd😀' })
    expect(replaced.status).to.equal(201)
  })

  it('has no field that would be a prototype', async () => {
    for (const body of ['{"__proto__":{"ip":"::1"}}', '{"ip":{"__proto__":null}}']) {
      const response = await client.send('/verify/start', post(body))
      expectError(response, 'INVALID_REQUEST_BODY')
      expect(response.body.message).to.equal('The body must have no field __proto__.')
    }
    expect(await countRecords(service, tenant.tenantId)).to.deep.equal(noRecords)
  })

  it('is empty without a type where it is optional, also if its length is not known before', async () => {
    for (const [framing, body, status] of [
      ['Content-Length: 0', '', 201],
      ['Transfer-Encoding: chunked', '0\r\n\r\n', 201],
      ['Transfer-Encoding: chunked', '2\r\n{}\r\n0\r\n\r\n', 400],
    ] as const) {
      const head = ['POST /verify/start HTTP/1.1', 'Host: a', `x-tenant-api-key: ${tenant.apiKey}`, framing]
      const response = await sendRaw(service.baseUrl, `${head.join('\r\n')}\r\n\r\n${body}`)
      expect(response.status, framing).to.equal(status)
      if (status === 400) expectIssueAt(response, 'Content-Type')
    }
    const empty = await client.send('/verify/start', post(''))
    expect(empty.status).to.equal(201)
    expectIssueAt(await client.send('/verify/start', post('""')), '')
  })

  it('can have parameters of its type that say UTF-8, or nothing', async () => {
    for (const parameters of [...inUtf8, '; charset=utf8', ';charset=Utf8', '; profile="a;charset=x"']) {
      const type = { 'content-type': `application/json${parameters}` }
      expect((await client.send('/verify/start', post('{}', type))).status, parameters).to.equal(201)
    }
  })
})

describe('A request with invalid input', () => {
  const service = useService()
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)

  for (const [path, most] of [
    ['/verify/start', 16 * 1024],
    ['/verify/submit', 16 * 1024],
    ['/tokens/validate', 64 * 1024],
  ] as const) {
    it(`of POST ${path} is rejected by its headers, and with more than ${most} bytes, and stores nothing`, async () => {
      for (const [request, message] of wrongHeaders) {
        const response = await client.send(path, request)
        expectError(response, 'INVALID_REQUEST_BODY')
        expect(response.body.message).to.equal(message)
      }
      for (const body of largest) expectError(await client.send(path, post(body)), 'INVALID_REQUEST_BODY')
      const fill = (bytes: number) => client.send(path, post(`{"a":1${' '.repeat(bytes - 7)}}`))
      const { issues } = (await fill(most)).body.details
      expect(issues.map((issue: { path: string }) => issue.path)).to.include('a')
      const over = { path: '', message: `must be at most ${most} bytes` }
      for (const bytes of [most + 1, 1024 * 1024]) {
        expect((await fill(bytes)).body.details.issues).to.deep.equal([over])
      }
      const missing = await client.send(path, { method: 'POST' })
      const stored = await countRecords(service, tenant.tenantId)
      if (path === '/verify/start') {
        expect([missing.status, stored.verifications]).to.deep.equal([201, 1])
      } else {
        expect(missing.body.message).to.match(/^The body is required, as JSON: \{"\w+": …\}\.$/)
        expect(stored).to.deep.equal(noRecords)
      }
    })
  }
})
