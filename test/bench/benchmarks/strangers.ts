import { setTimeout as sleep } from 'node:timers/promises'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { newKeyValue } from '#domain/api-key/key-value.ts'
import { forTenant } from '#domain/scope.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { tenantClient } from '../../harness/tenant-client.ts'
import type { Benchmark } from '../benchmark.ts'
import type { Fixture } from '../fixture/fixture.ts'
import { serviceProcess } from '../fixture/service-process.ts'
import { statusRequests } from '../fixture/status-requests.ts'
import type { AttackOrder } from '../load/attack.ts'
import type { Latencies, OpenLoopOrder } from '../load/open-loop.ts'
import type { Round } from '../report/table.ts'
import { callback } from './callback.ts'

/** Until an attack has all of its connections. */
const beginMs = 2_000
const everyMs = { tenant: 50, jwks: 200, provider: 200 }

type Attack = Omit<AttackOrder, 'origins' | 'seconds'>

export const strangers: Benchmark = {
  name: 'strangers',
  description:
    'GET /verify/status of a tenant, 20 a second, and what else has to be served, the JWKS and genuine callbacks, while somebody without a key attacks one process, or two.',
  async prepare(context) {
    const { fixture, options } = context
    const { seconds } = options
    const service = serviceProcess(context, { env: { TRUST_PROXY: '1', TEST_TENANTS: 'true' } })
    const [one, ...two] = await Promise.all([1, 2, 3].map(() => context.start(service)))
    const targets = { 'one process': [one!], 'two processes': two }
    const [clients, attacker] = [context.startLoad('open-loop'), context.startLoad('attack')]
    const statuses = await statusRequests(fixture)
    const attacks = listAttacks(fixture, await testPage(fixture, one!.origin))
    return async () => {
      const round: Round = {}
      for (const [title, servers] of Object.entries(targets)) {
        const origins = servers.map(({ origin }) => origin)
        for (const [name, attack] of Object.entries(attacks)) {
          const genuine = await callback.requests(fixture, (seconds * 1_000) / everyMs.provider)
          const order: OpenLoopOrder = {
            origins,
            seconds,
            clients: {
              tenant: { everyMs: everyMs.tenant, requests: statuses },
              jwks: {
                everyMs: everyMs.jwks,
                requests: [{ method: 'GET', path: '/.well-known/jwks.json', headers: {} }],
              },
              provider: { everyMs: everyMs.provider, requests: genuine },
            },
          }
          const attacking = attacker.request({ ...attack, origins, seconds: seconds + beginMs / 1_000 })
          await sleep(beginMs)
          const { tenant, jwks, provider } = await clients.request<Record<string, Latencies>>({ ...order })
          round[`${name}, ${title}`] = {
            'p50 ms': tenant!.p50,
            'p99 ms': tenant!.p99,
            'slowest ms': tenant!.slowest,
            'within 1 s, %': 100 * tenant!.inTime,
            'JWKS, slowest ms': jwks!.slowest,
            'callbacks, slowest ms': provider!.slowest,
          }
          await attacking
        }
      }
      return round
    }
  },
}

/** The path of the hosted page of a test verification. */
async function testPage({ services }: Fixture, baseUrl: string): Promise<string> {
  const operator = services.scopeFor({ kind: 'operator' })
  const { id: tenantId } = await createTenant(operator, { name: 'Test', test: true })
  const { value: apiKey } = await createApiKey(forTenant(operator, tenantId), { name: 'bench' })
  const { body } = await tenantClient({ baseUrl }, { apiKey }).start()
  return new URL(body.sessionUrl).pathname
}

function listAttacks({ veriff }: Fixture, page: string): Record<string, Attack> {
  const each = (count: number, message: (address: string) => string): Attack => {
    const messages = Array.from({ length: count }, (_, index) =>
      message(`X-Forwarded-For: 10.0.${index >> 8}.${index & 255}`),
    )
    return { connections: count, messages }
  }
  const request = (line: string, ...headers: string[]) =>
    `${[`${line} HTTP/1.1`, 'Host: a', ...headers].join('\r\n')}\r\n\r\n`
  const forged = (address: string, body: string) => {
    const signed = [`X-Auth-Client: ${veriff.apiKey}`, `X-HMAC-Signature: ${'0'.repeat(64)}`]
    return request('POST /verify/callback', address, ...signed, `Content-Length: ${body.length}`) + body
  }
  const inParts = request(
    'POST /console/session.me',
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  )
  return {
    'no attack': { connections: 0, messages: [] },
    'one-byte chunks': { connections: 160, messages: [inParts + '1\r\na\r\n'.repeat(64_000)] },
    'withheld bodies': each(
      300,
      address => `${request(`POST ${page}/decide`, address, 'Content-Length: 20')}o`,
    ),
    'forged callbacks': each(1_000, address => forged(address, '{"a":1}')),
    'forged callbacks of 1 MiB': each(100, address => forged(address, 'a'.repeat(1024 * 1024))),
    'batches of nobody': each(300, address =>
      request(`GET /console/${Array(20).fill('session.me').join()}?batch=1&input={}`, address),
    ),
    'made-up keys': each(900, address =>
      request('GET /verify/status', address, `X-Tenant-API-Key: ${newKeyValue()}`),
    ),
    'idle connections': { connections: 9_990, messages: [request('GET /health/live')], staysIdle: true },
  }
}
