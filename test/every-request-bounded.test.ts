import type { Socket } from 'node:net'
import { expect } from 'chai'
import fc from 'fast-check'
import { consoleRouter } from '#console-api/router.ts'
import { apiKeyScopes } from '#domain/permissions.ts'
import type { Endpoint } from '#rest/endpoint.ts'
import { endpoints } from '#rest/router.ts'
import { createApp } from '#server/app.ts'
import { type Listening, listen } from '#server/http/listen.ts'
import { signature } from '#server/providers/veriff/signature.ts'
import { audience, type SignInProvider, startSignInProvider } from '#test/console-api/sign-in-provider.ts'
import { anyCharacter } from './harness/any-character.ts'
import { eventually } from './harness/eventually.ts'
import { connectTo } from './harness/raw-http.ts'
import { statementsDuring } from './harness/statements-during.ts'
import { stored } from './harness/stored.ts'
import { createTestClock } from './harness/test-clock.ts'
import { useService, useTenant } from './harness/use-service.ts'

/** A response is at most this large, or ten times its request. */
const responseBytesMax = 64 * 1024
/** Of one call, whatever its input. */
const statementsMax = 25
const bodyBytesMax = 64 * 1024
const queryBytesMax = 12 * 1024
const batchSizeMax = 20

type ProcedureDefinition = { _def: { type: 'query' | 'mutation' } }

const procedures = Object.entries(
  consoleRouter._def.procedures as unknown as Record<string, ProcedureDefinition>,
).map(([path, { _def }]) => ({ path, kind: _def.type }))

/** Names of fields of console inputs and REST bodies, so that hostile values reach their schemas. */
const fieldNames =
  `name scopes expiresAt apiKeyId subject role url verificationId code limit cursor status from to
  search direction invitationId action actor actorKind state overlapHours validForDays idToken body headers token ip
  userAgent wait`.split(/\s+/)

const textLengthMax = 30_000
const short = fc.string({ unit: anyCharacter, maxLength: 20 })
/** JSON texts, because such depths can't be serialized. */
const nestedText = fc
  .tuple(fc.integer({ min: 1, max: 20_000 }), fc.constantFrom(...fieldNames))
  .map(([depth, name]) => `{"${name}":${'['.repeat(depth)}${']'.repeat(depth)}}`)
const hostileValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc
    .tuple(
      fc.constantFrom<unknown>(0, '', null, 'x', [], {}, apiKeyScopes[0]),
      fc.integer({ min: 0, max: 8_000 }),
    )
    .map(([entry, count]) => Array(count).fill(entry)),
  fc
    .tuple(short, fc.integer({ min: 0, max: textLengthMax }))
    .map(([text, count]) => repeatUpTo(textLengthMax, `x${text}`, count)),
  fc
    .tuple(short, fc.integer({ min: 0, max: 3_000 }))
    .map(([name, count]) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [name + index, 0])),
    ),
)

/** The repeated text up to a length. Most of it would be cut off again if it was repeated as often as it is asked for. */
function repeatUpTo(length: number, text: string, count: number): string {
  return text.repeat(Math.min(count, Math.ceil(length / text.length))).slice(0, length)
}

const plausibleInput = fc.record(
  {
    name: short,
    scopes: fc.array(fc.constantFrom(...apiKeyScopes), { maxLength: 5 }),
    subject: short,
    role: fc.constantFrom('owner', 'developer', 'viewer'),
    url: fc.constantFrom(
      'https://hooks.example.com/',
      `https://hooks.example.com/${'x'.repeat(2_000)}`,
      null,
    ),
    verificationId: fc.uuid({ version: 7 }),
    limit: fc.constantFrom(1, 100, 101),
    from: fc.constantFrom('2026-01-01', '0001-01-01'),
    to: fc.constantFrom('2026-12-31', '9999-12-31'),
  },
  { requiredKeys: [] },
)
const someFields = fc.dictionary(fc.constantFrom(...fieldNames), hostileValue, { maxKeys: 3 })
/** Inputs as JSON. */
const input = fc
  .oneof(
    ...[hostileValue, someFields, plausibleInput].map(value => value.map(each => JSON.stringify(each))),
    fc.tuple(plausibleInput, someFields).map(both => JSON.stringify(Object.assign({}, ...both))),
    nestedText,
  )
  .filter(json => json.length < bodyBytesMax)

describe('Every request', () => {
  const clock = createTestClock()
  const service = useService({ clock })
  const tenant = useTenant(service)
  let provider: SignInProvider
  let listening: Listening
  let baseUrl: string
  let authorization: string
  before('sign an owner in', async () => {
    provider = await startSignInProvider(clock)
    const oidc = { issuer: provider.issuer, audience, clientId: 'dashboard' }
    const { services } = service
    const app = createApp({ ...services, dependencies: { ...services.dependencies, oidc } })
    listening = await listen(app.callback(), { host: '127.0.0.1', port: 0 }, { unreadResponseMs: 1_000 })
    baseUrl = `http://127.0.0.1:${listening.port}`
    const farFuture = Math.floor(clock().getTime() / 1000) + 365 * 24 * 60 * 60
    authorization = `Bearer ${await provider.sign({ sub: 'ann', exp: farFuture })}`
    await fillTenant()
  })
  after(async () => {
    await listening.drain()
    await provider.close()
  })
  beforeEach('make the owner a member again, in a new rate limit window', async () => {
    // Rate limits are not what bounds a single request.
    clock.advance(60_000)
    await stored(
      service,
      `insert into member (tenant_id, issuer, id, subject, role, added_at)
       values ($1, $2, gen_random_uuid(), 'ann', 'owner', $3)
       on conflict (tenant_id, issuer, subject) do update set role = 'owner'`,
      [tenant.tenantId, provider.issuer, clock()],
    )
  })

  /** As much as a tenant can store in what the lists return. */
  async function fillTenant(): Promise<void> {
    const { tenantId } = tenant
    const now = clock()
    await stored(
      service,
      `insert into member (tenant_id, issuer, id, subject, role, added_at)
       select $1, $2, gen_random_uuid(), case n when 0 then 'ann' else rpad(n::text, 255, 'x') end, 'owner', $3 from generate_series(0, 99) n`,
      [tenantId, provider.issuer, now],
    )
    await stored(
      service,
      `insert into api_key (id, tenant_id, name, hash, display_start, scopes, created_at)
       select gen_random_uuid(), $1, rpad(n::text, 100, 'x'), encode(sha256(n::text::bytea), 'hex'), 'avk_xxxxxxxx',
         $2, $3 from generate_series(1, 99) n`,
      [tenantId, [...apiKeyScopes], now],
    )
    await stored(
      service,
      `insert into audit_event (id, tenant_id, at, actor_kind, actor_issuer, actor_subject, actor_ip, action, target, changes)
       select gen_random_uuid(), $1, $2, 'member', $3, rpad('ann', 255, 'x'), '203.0.113.7', 'webhook_url.set', null,
         jsonb_build_object('from', repeat('x', 2048), 'to', repeat('y', 2048)) from generate_series(1, 200) n`,
      [tenantId, now, provider.issuer],
    )
  }

  interface Sent {
    path: string
    init: RequestInit
  }

  /** Sends the request. Expects that neither the response nor the work behind it grows beyond what the request pays for. */
  async function expectBounded({ path, init }: Sent, calls = 1): Promise<void> {
    clock.advance(60_000)
    let response: Response | undefined
    let text = ''
    const statements = await statementsDuring(async () => {
      response = await fetch(`${baseUrl}${path}`, init)
      text = await response.text()
    })
    const requestBytes = path.length + ((init.body as string | undefined)?.length ?? 0)
    const shown = `${init.method} ${path.slice(0, 200)} → ${response!.status} ${text.slice(0, 200)}`
    expect(response!.status, shown).to.be.below(500)
    expect(Buffer.byteLength(text), shown).to.be.at.most(
      Math.max(10 * requestBytes, calls * responseBytesMax),
    )
    expect(statements.length, `${shown}\n${statements.join('\n')}`).to.be.at.most(calls * statementsMax)
  }

  function consoleCall({ path, kind }: (typeof procedures)[number], json = '{}'): Sent {
    const headers = { authorization, 'x-tenant-id': tenant.tenantId, 'content-type': 'application/json' }
    if (kind === 'mutation')
      return { path: `/console/${path}`, init: { method: 'POST', headers, body: json } }
    const query = encodeURIComponent(json)
    const fits = query.length <= queryBytesMax ? `?input=${query}` : ''
    return { path: `/console/${path}${fits}`, init: { method: 'GET', headers } }
  }

  function endpointCall({ method, path, kind }: Endpoint, body: string, query: string): Sent {
    const ofProvider = kind === 'provider' && {
      'x-auth-client': service.veriff.apiKey,
      'x-hmac-signature': signature(body, service.veriff.sharedSecret),
    }
    const headers = { 'x-tenant-api-key': tenant.apiKey, 'content-type': 'application/json', ...ofProvider }
    return {
      path: `${path.replace('{list}', '1')}${query}`,
      init: { method, headers, ...(method === 'POST' && { body }) },
    }
  }

  for (const procedure of procedures) {
    it(`to the procedure ${procedure.path} gets a small response, at a bounded cost, for any input`, async () => {
      await expectBounded(consoleCall(procedure, '{"limit":100}'))
      await fc.assert(
        fc.asyncProperty(input, value => expectBounded(consoleCall(procedure, value))),
        { numRuns: 10, examples: [['{}'], [`{"name":"x","scopes":[${'0,'.repeat(32_000)}0]}`]] },
      )
    })
  }

  const query = fc.oneof(
    fc.constant(''),
    fc
      .tuple(
        fc.constantFrom('verificationId=1', 'a', 'a[]=1', '%ff', '=&'),
        fc.integer({ min: 1, max: 5_000 }),
      )
      .map(([part, count]) => `?${Array(count).fill(part).join('&')}`.slice(0, queryBytesMax)),
    fc
      .integer({ min: 1, max: 2_000 })
      .map(count => `?${Array.from({ length: count }, (_, index) => index.toString(36)).join('&')}`),
  )
  for (const endpoint of endpoints) {
    it(`to ${endpoint.method} ${endpoint.path} gets a small response, at a bounded cost, for any input`, async () => {
      await fc.assert(
        fc.asyncProperty(input, query, (value, text) => expectBounded(endpointCall(endpoint, value, text))),
        { numRuns: 15 },
      )
    })
  }

  it('with 20 calls gets a response and has a cost of 20 calls at most', async () => {
    for (const { path, kind } of procedures) {
      const { init } = consoleCall({ path, kind })
      const year = encodeURIComponent(
        JSON.stringify({ 0: { from: '2026-01-01', to: '2026-12-31', limit: 100 } }),
      )
      const batch = `/console/${Array(batchSizeMax).fill(path).join(',')}?batch=1`
      await expectBounded(
        { path: batch, init: { ...init, ...(kind === 'mutation' && { body: '{}' }) } },
        batchSizeMax,
      )
      if (kind === 'query') await expectBounded({ path: `${batch}&input=${year}`, init }, batchSizeMax)
    }
  })

  it('to the console may have a body of 64 KiB, and not one byte more', async () => {
    const post = async (bytes: number) => {
      clock.advance(60_000)
      const { path, init } = consoleCall({ path: 'tenant.update', kind: 'mutation' }, '{"name":"Inn"}')
      const body = (init.body as string).padEnd(bytes, ' ')
      return (await fetch(`${baseUrl}${path}`, { ...init, body })).status
    }
    expect(await post(bodyBytesMax)).to.equal(200)
    expect(await post(bodyBytesMax + 1)).to.equal(400)
  })

  it('whose response is large and not read holds little memory, and for a limited time', async () => {
    // Together more than the buffers of the operating system take.
    const [clientCount, requestCount] = [4, 8]
    const sockets = new Set<Socket>()
    listening.server.on('connection', socket => sockets.add(socket))
    const year = { from: '2026-01-01', to: '2026-12-31' }
    const input = JSON.stringify(
      Object.fromEntries(Array.from({ length: batchSizeMax }, (_, at) => [at, year])),
    )
    const batch = Array(batchSizeMax).fill('usage.daily').join(',')
    const head = [
      `GET /console/${batch}?batch=1&input=${encodeURIComponent(input)} HTTP/1.1`,
      'Host: a',
      `Authorization: ${authorization}`,
      `x-tenant-id: ${tenant.tenantId}`,
      '\r\n',
    ].join('\r\n')
    const clients = await Promise.all(Array.from({ length: clientCount }, () => connectTo(baseUrl)))
    try {
      for (const client of clients) client.write(head.repeat(requestCount))
      const unreadBytes = () => {
        clock.advance(60_000)
        return [...sockets].reduce((sum, each) => sum + (each.destroyed ? 0 : each.writableLength), 0)
      }
      let mostBytes = 0
      await eventually(
        () => {
          const bytes = unreadBytes()
          mostBytes = Math.max(mostBytes, bytes)
          return bytes
        },
        { until: bytes => bytes === 0 && mostBytes > 0, timeoutMs: 50_000 },
      )
      expect(mostBytes).to.be.at.most(clientCount * batchSizeMax * responseBytesMax)
    } finally {
      for (const client of clients) client.destroy()
    }
  }).timeout(60_000)
})
