import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import fc from 'fast-check'
import { definePlan } from '#domain/plan/define-plan.ts'
import { anyCharacter } from '../harness/any-character.ts'
import { expectError } from '../harness/expect-error.ts'
import { countRecords, noRecords, stored } from '../harness/stored.ts'
import { type Call, tenantClient } from '../harness/tenant-client.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

const json = { 'content-type': 'application/json' }
const raw = (body: string | Uint8Array, headers: Record<string, string> = json): Call => ({
  raw: body,
  headers,
})
const utf8 = (text: string) => Buffer.from(text)

/** Bodies that aren't a JSON object, aren't JSON, or aren't declared as JSON. */
const rejectedAnywhere: [string, Call][] = [
  ['malformed JSON', raw('{"a":')],
  ['a trailing comma', raw('{"a":1,}')],
  ['single quotes', raw("{'a':1}")],
  ['a comment', raw('{/* */}')],
  ['two documents', raw('{}{}')],
  ['only spaces', raw('   ')],
  ['NaN', raw('NaN')],
  ['an array', raw('[]')],
  ['an array of objects', raw('[{}]')],
  ['null', raw('null')],
  ['a number', raw('1')],
  ['a number that is too large', raw('1e999')],
  ['a boolean', raw('true')],
  ['a string', raw('"{}"')],
  ['__proto__', raw('{"__proto__":{"ip":"203.0.113.9"}}')],
  ['constructor', raw('{"constructor":{"prototype":{"ip":"203.0.113.9"}}}')],
  ['toString', raw('{"toString":"x"}')],
  ['an empty name', raw('{"":1}')],
  ['a name with a NUL', raw('{"a\\u0000":1}')],
  ['a name that is a lone surrogate', raw('{"\\ud800":1}')],
  ['a raw NUL', raw('{"a":"\0"}')],
  ['a byte order mark', raw('\ufeff{}')],
  ['bytes that are no UTF-8', raw(Buffer.concat([utf8('{"a":"'), Buffer.of(0xc3, 0x28), utf8('"}')]))],
  ['UTF-8 of a surrogate', raw(Buffer.concat([utf8('{"a":"'), Buffer.of(0xed, 0xa0, 0x80), utf8('"}')]))],
  ['UTF-16', raw(Buffer.from('{}', 'utf16le'))],
  [
    'UTF-16 with its charset',
    raw(Buffer.from('{}', 'utf16le'), { 'content-type': 'application/json; charset=utf-16' }),
  ],
  ['gzip', raw(gzipSync('{}'), { ...json, 'content-encoding': 'gzip' })],
  ['a gzip header without gzip', raw('{}', { ...json, 'content-encoding': 'gzip' })],
  ['gzip without a header', raw(gzipSync('{}'))],
  ['an unknown encoding', raw('{}', { ...json, 'content-encoding': 'zip' })],
  ['no content type', raw(utf8('{}'), {})],
  ['text/plain', raw('{}', { 'content-type': 'text/plain' })],
  ['text/json', raw('{}', { 'content-type': 'text/json' })],
  ['form fields', raw('ip=203.0.113.9', { 'content-type': 'application/x-www-form-urlencoded' })],
  ['multipart', raw('--a\r\n\r\n--a--', { 'content-type': 'multipart/form-data; boundary=a' })],
  ['a media type of another kind of JSON', raw('{}', { 'content-type': 'application/ld+json' })],
  ['an invalid media type', raw('{}', { 'content-type': 'json' })],
  ['two media types', raw('{}', { 'content-type': 'application/json, text/plain' })],
  ['deep arrays', raw(`{"a":${'['.repeat(7000)}${']'.repeat(7000)}}`)],
  ['deep objects', raw(`${'{"a":'.repeat(2500)}1${'}'.repeat(2500)}`)],
  ['deep nesting without an end', raw('['.repeat(16_000))],
  ['many fields', raw(`{${Array.from({ length: 1500 }, (_, i) => `"f${i}":1`).join(',')}}`)],
  ['more than 64 KiB', raw(`{"a":"${'x'.repeat(64 * 1024)}"}`)],
  ['a megabyte of spaces', raw(' '.repeat(1024 * 1024))],
]

const withBody = ['/verify/start', '/verify/submit', '/tokens/validate']

describe('Invalid input', () => {
  const service = useService({ env: { TRUST_PROXY: '1' } })
  before(async () => {
    const rates = { rateLimitPerMinute: 100_000, readRateLimitPerMinute: 100_000 }
    await definePlan(service.operator(), { name: 'fast', ...rates })
  })
  const tenant = useNewTenant(service, { plan: 'fast' })
  const client = tenantClient(service, tenant)

  async function expectNothingStored(): Promise<void> {
    expect(await countRecords(service, tenant.tenantId)).to.deep.equal(noRecords)
  }

  for (const path of withBody) {
    describe(`in the body of POST ${path}`, () => {
      for (const [title, options] of rejectedAnywhere) {
        it(`returns 400 and stores nothing for ${title}`, async () => {
          const response = await client.send(path, { method: 'POST', ...options })
          expectError(response, 'INVALID_REQUEST_BODY')
          expect(response.body.details.issues).to.have.length.of.at.least(1)
          for (const issue of response.body.details.issues) {
            expect(issue).to.have.all.keys('path', 'message')
            expect(issue.message).to.be.a('string').that.is.not.empty
          }
          await expectNothingStored()
        })
      }

      it('does not pollute the prototype of objects', () => {
        expect(({} as Record<string, unknown>).ip).to.equal(undefined)
      })
    })
  }

  for (const [path, most] of [
    ['/verify/start', 16 * 1024],
    ['/verify/submit', 16 * 1024],
    ['/tokens/validate', 64 * 1024],
  ] as const) {
    it(`to POST ${path} may have ${most} bytes, and not one more`, async () => {
      const fill = (bytes: number) => ({ method: 'POST' as const, ...raw(`{"a":1${' '.repeat(bytes - 7)}}`) })
      const whole = await client.send(path, fill(most))
      expect(whole.body.details.issues.map((issue: { path: string }) => issue.path)).to.include('a')
      const over = await client.send(path, fill(most + 1))
      expect(over.body.details.issues).to.deep.equal([{ path: '', message: `must be at most ${most} bytes` }])
    })
  }

  it('does not include unusual but valid requests, which succeed', async () => {
    for (const [body, type] of [
      ['{}', 'application/json; charset=utf-8'],
      ['{}', 'application/json;charset=UTF-8'],
      ['{}', 'APPLICATION/JSON'],
      ['\n\t {"ip" : "203.0.113.9" }\r\n', 'application/json'],
      ['{"userAgent":"\\u00e9\\ud83d\\ude00"}', 'application/json'],
    ] as const) {
      const response = await client.send('/verify/start', {
        method: 'POST',
        ...raw(body, { 'content-type': type }),
      })
      expect(response.status, `${type} ${body}`).to.equal(201)
    }
  })

  it('never returns a 500, for any JSON body', async () => {
    const value = fc.oneof(fc.jsonValue({ maxDepth: 4 }), nearlyRight)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...withBody), value, async (path, body) => {
        const response = await client.send(path, { method: 'POST', json: body })
        expect(response.status, JSON.stringify(response.body)).to.be.oneOf([200, 201, 400, 404])
        if (response.status >= 400) expectError(response, response.body.error)
      }),
      { numRuns: 300 },
    )
  })

  it('always returns a 400, for any bytes as the body', async () => {
    const bytes = fc
      .uint8Array({ minLength: 1, maxLength: 200 })
      .filter(some => Buffer.from(some).toString().trim() !== '{}')
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...withBody), bytes, async (path, body) => {
        expectError(await client.send(path, { method: 'POST', ...raw(body) }), 'INVALID_REQUEST_BODY')
      }),
      { numRuns: 200, examples: [[withBody[0]!, Uint8Array.of(0)]] },
    )
    await expectNothingStored()
  })

  it('always returns a 400, for any query', async () => {
    const part = fc.string({ unit: anyCharacter, maxLength: 20 })
    const query = fc.array(fc.tuple(part, part), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(query, async pairs => {
        const response = await client.send(`/verify/status?${new URLSearchParams(pairs)}`)
        expectError(response, 'INVALID_PARAMETERS')
      }),
      { numRuns: 200 },
    )
  })

  for (const query of [
    '%',
    '%zz',
    '%00',
    '%ff',
    '%c3%28',
    '&',
    '=',
    '&&==',
    '?',
    'a[b][c]=1',
    '[]',
    '+',
    ';',
  ]) {
    it(`returns a 400 for the query ?${query}`, async () => {
      const response = await client.send(`/verify/status?${query}`)
      expectError(response, 'INVALID_PARAMETERS')
    })
  }

  it('returns a 400 or a 404, for any identifier', async () => {
    const identifier = fc.oneof(
      fc.uuid(),
      fc.uuid({ version: 7 }),
      fc.string({ unit: anyCharacter, maxLength: 60 }),
    )
    await fc.assert(
      fc.asyncProperty(identifier, async id => {
        const status = await client.status(encodeURIComponent(id.toWellFormed()))
        const submitted = await client.submit(id)
        for (const response of [status, submitted]) expect(response.status).to.be.oneOf([400, 404])
        for (const response of [status, submitted]) expectError(response, response.body.error)
      }),
      { numRuns: 150 },
    )
    await expectNothingStored()
  })

  it('always returns a 401, for any text as the tenant key', async () => {
    const value = fc.string({ unit: headerCharacter })
    await fc.assert(
      // An address may fail 60 times a minute only.
      fc.asyncProperty(value, fc.ipV4(), async (apiKey, address) => {
        const response = await tenantClient(service, { apiKey }).send('/tokens/validate', {
          method: 'POST',
          json: { token: 'x' },
          headers: { 'x-forwarded-for': address },
        })
        expectError(response, 'UNAUTHENTICATED_TENANT')
      }),
      { numRuns: 100 },
    )
  })

  it('leaves no start reservation', async () => {
    const rows = await stored(service, 'select * from start_reservation')
    expect(rows).to.deep.equal([])
  })
})

/** The characters that a header can have: no control character. */
const headerCharacter = fc
  .integer({ min: 0x21, max: 0xff })
  .filter(code => code !== 0x7f)
  .map(code => String.fromCharCode(code))

/** Objects with the right fields and mostly wrong values. */
const nearlyRight = fc.record(
  {
    userAgent: fc.oneof(fc.string({ unit: anyCharacter }), fc.jsonValue({ maxDepth: 2 })),
    ip: fc.oneof(fc.ipV4(), fc.ipV6(), fc.jsonValue({ maxDepth: 2 })),
    token: fc.oneof(fc.string({ unit: anyCharacter }), fc.jsonValue({ maxDepth: 2 })),
    verificationId: fc.oneof(fc.uuid({ version: 7 }), fc.jsonValue({ maxDepth: 2 })),
  },
  { requiredKeys: [] },
)
