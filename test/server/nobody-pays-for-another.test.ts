import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import { newKeyValue } from '#domain/api-key/key-value.ts'
import { definePlan } from '#domain/tenant/define-plan.ts'
import { eventually } from '../harness/eventually.ts'
import { decisionOn, sendCallback, sessionOf } from '../harness/provider-callback.ts'
import { createRandom } from '../harness/random.ts'
import { connectTo } from '../harness/raw-http.ts'
import { seed } from '../harness/run/seed.ts'
import { call, tenantClient } from '../harness/tenant-client.ts'
import { createTestTenant, type TestTenant } from '../harness/test-service.ts'
import { useService, useTenant } from '../harness/use-service.ts'

/** Fewer than by default, so that small attacks would take all of them. */
const concurrentRequests = 8

/** More than a process works on, keeps in the queue of one client, and lets wait to be accepted. */
const many = 100

const attackerAddress = '203.0.113.66'
const victimAddress = '198.51.100.7'
const random = createRandom(seed, 'nobody pays for another')
const anyAddress = () => `10.${[0, 0, 0].map(() => random.between(0, 255)).join('.')}`

describe('An attacker', () => {
  const service = useService({
    // The clients' addresses are those that the proxy in front reports.
    env: { MAX_CONCURRENT_REQUESTS: String(concurrentRequests), TRUST_PROXY: '1' },
  })
  const victim = useTenant(service)
  let attacker: TestTenant
  let verificationId: string
  let token: string
  before('have both tenants use their keys', async () => {
    await definePlan(service.operator(), {
      name: 'busy',
      rateLimitPerMinute: 100_000,
      readRateLimitPerMinute: 100_000,
    })
    attacker = await createTestTenant(service, { plan: 'busy' })
    await tenantClient(service, attacker).start()
    verificationId = await tenantClient(service, victim).decided('approve-adult')
    const { body } = await tenantClient(service, victim).status(verificationId)
    token = body.token
  })

  const sockets = new Set<Socket>()
  let isOver = false
  const loops: Promise<void>[] = []
  afterEach('end the attack', async () => {
    isOver = true
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    await Promise.all(loops.splice(0))
    await call(`${service.veriffUrl}/control/mode`, { method: 'PUT', json: { createSession: 'ok' } })
    isOver = false
    await eventually(() => service.services.concurrency.counts(), {
      until: ({ working, queued }) => working + queued === 0,
    })
  })

  /** Sends the bytes on a new connection, whose responses nobody reads. */
  async function send(bytes: string): Promise<Socket> {
    const socket = await connectTo(service.baseUrl)
    sockets.add(socket.pause())
    socket.write(bytes)
    return socket
  }

  async function sendMany(bytes: () => string, count = many): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => send(bytes())))
  }

  /**
   * Sends requests that wait for somebody else, no more at a time than one client's queue has room for. More of them wait
   * then than a process works on.
   */
  async function sendWaiting(bytes: () => string): Promise<void> {
    for (const _ of ['first half', 'second half']) {
      await sendMany(bytes, many / 2)
      await eventually(() => service.services.concurrency.counts(), {
        until: ({ working, queued, idle }) => working + queued === 0 && idle > concurrentRequests,
      })
    }
  }

  /** Sends each request as soon as the one before has its response, on so many connections. */
  function loop(request: () => string, connections = many): void {
    for (let count = 0; count < connections; count++) loops.push(repeat(request))
  }

  async function repeat(request: () => string): Promise<void> {
    const socket = await send('')
    const closed = once(socket, 'close')
    while (!isOver && !socket.destroyed) {
      socket.write(request())
      await Promise.race([once(socket.resume(), 'data'), closed])
    }
  }

  function request(
    target: string,
    {
      key,
      headers = [],
      body,
      address = attackerAddress,
    }: { key?: string; headers?: string[]; body?: string; address?: string } = {},
  ) {
    const lines = [
      `${body === undefined ? 'GET' : 'POST'} ${target} HTTP/1.1`,
      'Host: a',
      `X-Forwarded-For: ${address}`,
      ...(key ? [`x-tenant-api-key: ${key}`] : []),
      ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
      ...headers,
    ]
    return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
  }

  const status = (key?: string, more = '') =>
    request(`/verify/status?verificationId=${verificationId}${more}`, key ? { key } : {})

  const hang = () =>
    call(`${service.veriffUrl}/control/mode`, { method: 'PUT', json: { createSession: 'hang' } })

  const idle = () => service.services.concurrency.counts().idle

  const attacks: [name: string, begin: () => Promise<unknown> | unknown][] = [
    [
      'one connection with hundreds of pipelined requests, behind large responses that it does not read',
      () => send(request('/openapi.json').repeat(60) + status().repeat(600)),
    ],
    [
      'requests pipelined behind one that waits, and a disconnect',
      async () => {
        const { body } = await tenantClient(service, attacker).start()
        const waiting = request(`/verify/status?verificationId=${body.verificationId}&wait=60`, {
          key: attacker.apiKey,
        })
        const socket = await send(waiting + status(attacker.apiKey).repeat(15))
        await eventually(() => idle() > 0)
        // The others are answered meanwhile, where they are worked on.
        for (let count = 0; count < 50; count++) await call(`${service.baseUrl}/health/live`)
        socket.destroy()
      },
    ],
    [
      'bodies of one-byte chunks, in the console',
      () => {
        const head = request('/console/tenant.update', { body: '' }).replace(
          'Content-Length: 0',
          'Transfer-Encoding: chunked',
        )
        return sendMany(() => head + '1\r\n{\r\n'.repeat(10_000))
      },
    ],
    [
      'callbacks with the provider’s public key, a forged signature and a withheld body',
      async () => {
        const headers = [`x-auth-client: ${service.veriff.apiKey}`, `x-hmac-signature: ${'0'.repeat(64)}`]
        await sendWaiting(() =>
          request('/verify/callback', { headers, body: '{' }).replace(': 1\r', ': 1000000\r'),
        )
      },
    ],
    [
      'forged callbacks, each from an address of its own',
      () => {
        const headers = [`x-auth-client: ${service.veriff.apiKey}`, `x-hmac-signature: ${'0'.repeat(64)}`]
        loop(() => request('/verify/callback', { headers, body: '{}', address: anyAddress() }))
      },
    ],
    [
      'starts with the same idempotency keys, while the provider hangs',
      async () => {
        await hang()
        const headers = () => [`Idempotency-Key: ${random.between(0, 4)}`]
        await sendWaiting(() =>
          request('/verify/start', { key: attacker.apiKey, headers: headers(), body: '{}' }),
        )
      },
    ],
    [
      'starts, while the provider hangs',
      async () => {
        await hang()
        await sendWaiting(() => request('/verify/start', { key: attacker.apiKey, body: '{}' }))
      },
    ],
    [
      'requests that wait for a change',
      async () => {
        const { body } = await tenantClient(service, attacker).start()
        const target = `/verify/status?verificationId=${body.verificationId}&wait=60`
        await sendWaiting(() => request(target, { key: attacker.apiKey }))
      },
    ],
    ['unknown keys', () => loop(() => status(newKeyValue()))],
    [
      'unknown keys, each from an address of its own',
      () => loop(() => request('/verify/status', { key: newKeyValue(), address: anyAddress() })),
    ],
    [
      'unknown pages, each from an address of its own',
      () => loop(() => request(`/test/sessions/${random.between(0, 1e9)}`, { address: anyAddress() })),
    ],
    ['a key far over its limit', () => loop(() => status(attacker.apiKey))],
    [
      'starts beyond the capacity',
      () => loop(() => request('/verify/start', { key: attacker.apiKey, body: '{}' }), 100),
    ],
    [
      'documents',
      async () => {
        // The first request generates them.
        await call(`${service.baseUrl}/docs`)
        loop(() => request('/docs'), 30)
      },
    ],
    ['the console, without a valid token', () => loop(() => request('/console/session.me'), 30)],
  ]

  for (const [name, begin] of attacks) {
    it(`costs another tenant nothing with ${name}`, async function () {
      this.timeout(60_000)
      await begin()
      const { send } = tenantClient(service, victim)
      const headers = { 'x-forwarded-for': victimAddress }
      const target = `/verify/status?verificationId=${verificationId}`
      for (let count = 0; count < 5; count++) {
        expect((await send(target, { headers })).status).to.equal(200)
        const validation = await send('/tokens/validate', { method: 'POST', json: { token }, headers })
        expect(validation.body).to.deep.equal({ valid: true, over18: true, reason: 'OK' })
        for (const path of ['/health/live', '/.well-known/jwks.json'])
          expect((await call(`${service.baseUrl}${path}`)).status).to.equal(200)
      }
      const session = await sessionOf(service, verificationId)
      expect((await sendCallback(service, decisionOn(session, 'approved'))).status).to.equal(200)
    })
  }
})
