import { expect } from 'chai'
import { ProviderUnavailable } from '#domain/ports.ts'
import { eventually } from '../harness/eventually.ts'
import { expectError, expectIssueAt } from '../harness/expect-error.ts'
import { metricOf } from '../harness/metrics.ts'
import { statementsDuring } from '../harness/statements-during.ts'
import { countRecords, noRecords } from '../harness/stored.ts'
import { type ApiResponse, tenantClient } from '../harness/tenant-client.ts'
import { createTestClock } from '../harness/test-clock.ts'
import type { TestService } from '../harness/test-service.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

describe('Idempotency-Key on POST /verify/start', () => {
  const clock = createTestClock()
  const service = useService({ clock })
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)

  /** Returns the exact text of the response. */
  async function startText(key: string, json: unknown = {}) {
    const response = await fetch(`${service.baseUrl}/verify/start`, {
      method: 'POST',
      headers: {
        'x-tenant-api-key': tenant.apiKey,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(json),
    })
    return { status: response.status, text: await response.text(), headers: response.headers }
  }

  it('returns the first response again, byte for byte, uses no quota, and counts in the rate window', async () => {
    const first = await startText('order-1', { ip: '203.0.113.9', userAgent: 'a' })
    const again = await startText('order-1', { userAgent: 'a', ip: '203.0.113.9' })
    expect(first.status).to.equal(201)
    expect(again.status).to.equal(201)
    expect(again.text).to.equal(first.text)
    expect(again.headers.get('x-request-id')).not.to.equal(first.headers.get('x-request-id'))
    expect(again.headers.get('idempotent-replayed')).to.equal('true')
    expect(first.headers.has('idempotent-replayed')).to.equal(false)
    expect(first.text).not.to.include('replayed')
    const remaining = [first, again].map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
    expect(remaining).to.deep.equal([59, 58])
    expect(await countRecords(service, tenant.tenantId)).to.include({
      verifications: 1,
      used: 1,
      reservations: 0,
    })
  })

  it('rejects the same key with another body, says why, and starts nothing', async () => {
    await startText('other', { ip: '203.0.113.9' })
    const response = await client.start({ ip: '203.0.113.10' }, { 'idempotency-key': 'other' })
    expectError(response, 'INVALID_REQUEST_BODY')
    expect(response.headers.has('idempotent-replayed')).to.equal(false)
    expect(response.body.message).to.equal(
      'The Idempotency-Key was used with another body in the last 24 hours. Use a new key for a new request.',
    )
    expect(response.body.details).to.deep.equal({
      issues: [{ path: 'Idempotency-Key', message: 'was used with another body' }],
      reason: 'idempotency_key_reused',
    })
    expect(await countRecords(service, tenant.tenantId)).to.include({ verifications: 1, used: 1 })
  })

  it('accepts keys of 1 to 255 visible ASCII characters, and rejects others', async () => {
    for (const key of ['x'.repeat(256), '', 'a b', 'a\tb', 'clé', 'one, two']) {
      const response = await client.start({}, { 'idempotency-key': key })
      expectIssueAt(response, 'Idempotency-Key', 'INVALID_PARAMETERS')
      const { message } = response.body
      expect(message).to.equal('Idempotency-Key must be 1 to 255 visible ASCII characters.')
    }
    expect(await countRecords(service, tenant.tenantId)).to.deep.equal(noRecords)
    for (const key of ['!', '~'.repeat(255), 'a:b/c?d=e"f']) {
      expect((await startText(key)).status).to.equal(201)
    }
  })
})

describe('50 starts with one Idempotency-Key', () => {
  const service = useService()
  const tenant = useNewTenant(service)
  const startOnce = (signal?: AbortSignal) => startWithKey(service, tenant.apiKey, signal)
  const waiting = (count: number) => eventually(() => service.waits.count === count)
  const calls = () => metricOf(service.services.registry, callsMetric, { operation: 'create_session' })
  afterEach(() => expect(service.waits.count).to.equal(0))

  it('leave nothing behind when their clients disconnect: one attempt, which fails', async () => {
    const before = await calls()
    const provider = holdProvider(service)
    const clients = new AbortController()
    const responses = Array.from({ length: 50 }, () => startOnce(clients.signal).catch(() => 'disconnected'))
    await waiting(49)
    await eventually(() => provider.calls() === 1)
    const sent = await statementsDuring(async () => {
      clients.abort()
      expect(new Set(await Promise.all(responses))).to.deep.equal(new Set(['disconnected']))
      await waiting(0)
      provider.fail()
      await eventually(async () => (await countRecords(service, tenant.tenantId)).keys === 0)
    })
    expect(sent.filter(isOfStart)).to.deep.equal(['release-start', 'unlock-idempotency-key'])
    expect(provider.calls()).to.equal(1)
    expect(await calls()).to.equal(before)
    expect(await countRecords(service, tenant.tenantId)).to.deep.equal(noRecords)
  })

  it('hold no place of the process while they wait', async () => {
    const provider = holdProvider(service)
    const responses = Array.from({ length: 50 }, () => startOnce())
    await waiting(49)
    await eventually(() => service.services.concurrency.counts().idle === 50)
    provider.succeed()
    const started = await Promise.all(responses)
    expect(started.map(({ status }) => status)).to.deep.equal(Array(50).fill(201))
    expect(new Set(started.map(({ body }) => JSON.stringify(body))).size).to.equal(1)
    expect(started.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).to.have.length(49)
  })
})

const callsMetric = 'age_verification_provider_request_duration_seconds_count'

/** Whether a statement is one of a start, and not of the admission, of monitoring, or of those that wait. */
function isOfStart(name: string): boolean {
  return /^(?!read-).*(idempotency-key|-start$)/.test(name)
}

async function startWithKey(
  service: TestService,
  apiKey: string,
  signal?: AbortSignal,
): Promise<ApiResponse> {
  const response = await fetch(`${service.baseUrl}/verify/start`, {
    method: 'POST',
    headers: { 'x-tenant-api-key': apiKey, 'idempotency-key': 'one' },
    signal: signal ?? null,
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** Holds the next call to create a session until it may succeed or has to fail. */
function holdProvider(service: TestService) {
  const provider = service.services.scopeFor({ kind: 'service' }).provider!
  const { createSession } = provider
  const held = Promise.withResolvers<void>()
  let calls = 0
  provider.createSession = async request => {
    calls++
    await held.promise
    return await createSession(request)
  }
  const release = (settle: () => void) => {
    provider.createSession = createSession
    settle()
  }
  return {
    calls: () => calls,
    succeed: () => release(held.resolve),
    fail: () => release(() => held.reject(new ProviderUnavailable('timeout', 'held'))),
  }
}
