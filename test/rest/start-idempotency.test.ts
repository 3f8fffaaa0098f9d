import { expect } from 'chai'
import { definePlan } from '#domain/plan/define-plan.ts'
import { ProviderUnavailable } from '#domain/ports.ts'
import { forTenant } from '#domain/scope.ts'
import { setTenantPlan } from '#domain/tenant/set-tenant-plan.ts'
import { eventually } from '../harness/eventually.ts'
import { expectError, expectIssueAt, expectRateLimitHeaders } from '../harness/expect-error.ts'
import { metricOf } from '../harness/metrics.ts'
import { statementsDuring } from '../harness/statements-during.ts'
import { countRecords, noRecords } from '../harness/stored.ts'
import { type ApiResponse, call, tenantClient } from '../harness/tenant-client.ts'
import { createTestClock } from '../harness/test-clock.ts'
import { createTestTenant, type TestService } from '../harness/test-service.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

const oneDayMs = 24 * 60 * 60 * 1000

describe('Idempotency-Key on POST /verify/start', () => {
  const clock = createTestClock()
  const service = useService({ clock })
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)

  /** Returns the exact text of the response. */
  async function startText(key: string, json: unknown = {}, apiKey = tenant.apiKey) {
    const response = await fetch(`${service.baseUrl}/verify/start`, {
      method: 'POST',
      headers: { 'x-tenant-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(json),
    })
    return { status: response.status, text: await response.text(), headers: response.headers }
  }

  it('returns the first response again, byte for byte, and uses no quota', async () => {
    const first = await startText('order-1', { ip: '203.0.113.9' })
    const again = await startText('order-1', { ip: '203.0.113.9' })
    expect(first.status).to.equal(201)
    expect(again.status).to.equal(201)
    expect(again.text).to.equal(first.text)
    expect(again.headers.get('x-request-id')).not.to.equal(first.headers.get('x-request-id'))
    expect(again.headers.get('idempotent-replayed')).to.equal('true')
    expect(first.headers.has('idempotent-replayed')).to.equal(false)
    expect(first.text).not.to.include('replayed')
    expect(await countRecords(service, tenant.tenantId)).to.include({
      verifications: 1,
      used: 1,
      reservations: 0,
    })
  })

  it('treats the same fields in another order as the same body', async () => {
    const first = await startText('order-2', { ip: '203.0.113.9', userAgent: 'a' })
    const again = await startText('order-2', { userAgent: 'a', ip: '203.0.113.9' })
    expect(again.text).to.equal(first.text)
  })

  it('makes concurrent requests wait for the first one, and starts one verification', async () => {
    const responses = await Promise.all(Array.from({ length: 15 }, () => startText('parallel')))
    expect(new Set(responses.map(({ text }) => text)).size).to.equal(1)
    expect(responses.map(({ status }) => status)).to.deep.equal(Array(15).fill(201))
    const replayed = responses.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')
    expect(replayed).to.have.length(14)
    expect(await countRecords(service, tenant.tenantId)).to.include({
      verifications: 1,
      used: 1,
      reservations: 0,
    })
  })

  it('rejects the same key with another body, and starts nothing', async () => {
    await startText('other', { ip: '203.0.113.9' })
    const response = await client.start({ ip: '203.0.113.10' }, { 'idempotency-key': 'other' })
    expectIssueAt(response, 'Idempotency-Key')
    expect(response.headers.has('idempotent-replayed')).to.equal(false)
    expect(await countRecords(service, tenant.tenantId)).to.include({ verifications: 1, used: 1 })
  })

  it('rejects another body also while the first request is in flight', async () => {
    const bodies = Array.from({ length: 10 }, (_, i) => ({ ip: `203.0.113.${i}` }))
    const responses = await Promise.all(bodies.map(body => startText('race', body)))
    expect(responses.filter(({ status }) => status === 201)).to.have.length(1)
    expect(responses.filter(({ status }) => status === 400)).to.have.length(9)
    expect(await countRecords(service, tenant.tenantId)).to.include({ verifications: 1, used: 1 })
  })

  it('is separate for each tenant: another tenant can use the same key', async () => {
    const other = await createTestTenant(service)
    const first = await startText('shared')
    const second = await startText('shared', {}, other.apiKey)
    expect(second.status).to.equal(201)
    expect(second.text).not.to.equal(first.text)
  })

  it('returns the first response for 24 hours, and starts a new verification after that', async () => {
    const first = await startText('day')
    clock.advance(oneDayMs - 1000)
    expect((await startText('day')).text).to.equal(first.text)
    clock.advance(1000)
    const next = await startText('day')
    expect(next.status).to.equal(201)
    expect(next.text).not.to.equal(first.text)
    expect(next.headers.has('idempotent-replayed')).to.equal(false)
  })

  it('does not store a failed start', async () => {
    await providerMode(service, 'error-503')
    const failed = await client.start({}, { 'idempotency-key': 'again' })
    expectError(failed, 'INTERNAL_ERROR')
    expect(await countRecords(service, tenant.tenantId)).to.deep.equal(noRecords)
    await providerMode(service, 'ok')
    expect((await startText('again')).status).to.equal(201)
    expect(await countRecords(service, tenant.tenantId)).to.include({ verifications: 1, used: 1 })
  })

  it('does not store a rejected request', async () => {
    expect((await startText('bad', { ip: 'nowhere' })).status).to.equal(400)
    expect((await startText('bad', { ip: '203.0.113.9' })).status).to.equal(201)
  })

  it('returns the stored response also after the quota is used up', async () => {
    await definePlan(service.operator(), { name: 'one', monthlyQuota: 1 })
    await setTenantPlan(forTenant(service.operator(), tenant.tenantId), { plan: 'one' })
    const first = await startText('quota')
    expect((await startText('quota-2')).status).to.equal(429)
    expect((await startText('quota')).text).to.equal(first.text)
    expect(await countRecords(service, tenant.tenantId)).to.include({ verifications: 1, used: 1, keys: 1 })
  })

  it('counts a repeated request against the rate limit', async () => {
    const first = await startText('window')
    const again = await startText('window')
    const remaining = ({ headers }: { headers: Headers }) => Number(headers.get('x-ratelimit-remaining'))
    expect(remaining(again)).to.equal(remaining(first) - 1)
  })

  for (const key of ['!', '~'.repeat(255), 'a:b/c?d=e"f']) {
    it(`accepts the key ${key.slice(0, 20)}`, async () => {
      expect((await startText(key)).status).to.equal(201)
    })
  }

  for (const [title, key] of [
    ['of 256 characters', 'x'.repeat(256)],
    ['that is empty', ''],
    ['with a space', 'a b'],
    ['with a tab', 'a\tb'],
    ['with a character outside ASCII', 'clé'],
  ] as const) {
    it(`rejects a key ${title}, and starts nothing`, async () => {
      const response = await client.start({}, { 'idempotency-key': key })
      expectIssueAt(response, 'idempotency-key', 'INVALID_PARAMETERS')
      expect(await countRecords(service, tenant.tenantId)).to.deep.equal(noRecords)
    })
  }

  it('rejects two keys', async () => {
    const headers = new Headers({ 'x-tenant-api-key': tenant.apiKey })
    headers.append('idempotency-key', 'one')
    headers.append('idempotency-key', 'two')
    const response = await fetch(`${service.baseUrl}/verify/start`, { method: 'POST', headers })
    expect(response.status).to.equal(400)
    expect(await response.json()).to.include({ error: 'INVALID_PARAMETERS' })
  })
})

describe('50 starts with one Idempotency-Key', () => {
  const service = useService()
  const tenant = useNewTenant(service)
  const startOnce = (signal?: AbortSignal) => startWithKey(service, tenant.apiKey, signal)
  const waiting = (count: number) => eventually(() => service.statusWaits.count === count)
  const calls = () => metricOf(service.services.registry, callsMetric, { operation: 'create_session' })
  afterEach(async () => {
    await providerMode(service, 'ok')
    expect(service.statusWaits.isEmpty).to.equal(true)
  })

  it('ask a provider that hangs once, wait without a statement, and fail together', async function () {
    this.timeout(60_000)
    await providerMode(service, 'hang')
    const before = await calls()
    const responses = Array.from({ length: 50 }, () => startOnce())
    await waiting(49)
    await eventually(async () => (await countRecords(service, tenant.tenantId)).reservations === 1)
    const sent = await statementsDuring(() => Promise.all(responses))
    expect(sent.filter(isOfStart)).to.deep.equal(['release-start', 'unlock-idempotency-key'])
    expect(await calls()).to.equal(before + 1)
    for (const response of await Promise.all(responses)) {
      expectError(response, 'INTERNAL_ERROR')
      expectRateLimitHeaders(response, true)
      expect(response.body.details).to.deep.equal({ dependency: 'identity_provider' })
    }
    expect(await countRecords(service, tenant.tenantId)).to.deep.equal(noRecords)
    await providerMode(service, 'ok')
    const retried = await startOnce()
    expect(retried.status).to.equal(201)
    expect(retried.headers.has('idempotent-replayed')).to.equal(false)
  })

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
    expect((await Promise.all(responses)).map(({ status }) => status)).to.deep.equal(Array(50).fill(201))
  })
})

describe('Starts with one Idempotency-Key in two processes', () => {
  const service = useService({ hasNotifications: true })
  const other = useService(() => ({ databaseUrl: service.databaseUrl, hasNotifications: true }))
  const tenant = useNewTenant(service)

  it('get one response, as soon as the first one has it', async () => {
    const provider = holdProvider(service)
    const first = startWithKey(service, tenant.apiKey)
    await eventually(() => provider.calls() === 1)
    const second = startWithKey(other, tenant.apiKey)
    await eventually(() => other.statusWaits.count === 1)
    provider.succeed()
    const [{ status, body }, replayed] = await Promise.all([first, second])
    expect(status).to.equal(201)
    expect(replayed.status).to.equal(201)
    expect(replayed.body).to.deep.equal(body)
    expect(replayed.headers.get('idempotent-replayed')).to.equal('true')
    expect(await countRecords(service, tenant.tenantId)).to.include({ verifications: 1, used: 1 })
  })
})

describe('A start that still waits for the first one with its Idempotency-Key at the end of the wait', () => {
  const service = useService()
  const tenant = useNewTenant(service)

  it('gets 500 with Retry-After, and the first one is not affected', async () => {
    const provider = holdProvider(service)
    const first = startWithKey(service, tenant.apiKey)
    await eventually(() => provider.calls() === 1)
    const second = startWithKey(service, tenant.apiKey)
    await eventually(() => service.statusWaits.count === 1)
    service.statusWaits.end()
    const response = await second
    expectError(response, 'INTERNAL_ERROR')
    expectRateLimitHeaders(response, true)
    expect(response.headers.get('retry-after')).to.equal('8')
    expect(response.body.details).to.deep.equal({ retryAfterSeconds: 8 })
    expect(response.body.message).to.equal(
      'The first request with this Idempotency-Key is still running. Retry with the same key after the given delay.',
    )
    provider.succeed()
    const { status, body } = await first
    expect(status).to.equal(201)
    expect((await startWithKey(service, tenant.apiKey)).body).to.deep.equal(body)
    expect(provider.calls()).to.equal(1)
  })
})

const callsMetric = 'age_verification_provider_request_duration_seconds_count'

/** Whether a statement is one of a start, and not of the admission or of monitoring. */
function isOfStart(name: string): boolean {
  return /idempotency-key|-start$/.test(name)
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
  const { provider } = service.services.scopeFor({ kind: 'service' })
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

async function providerMode(service: TestService, createSession: string): Promise<void> {
  await call(`${service.veriffUrl}/control/mode`, { method: 'PUT', json: { createSession } })
}
