import { expect } from 'chai'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import { eraseVerification } from '#domain/deletion/erase-verification.ts'
import type { ErrorCode } from '#domain/error-codes.ts'
import { forTenant } from '#domain/scope.ts'
import { setTenantEnabled } from '#domain/tenant/change-tenant-access.ts'
import { captureLog } from '#test/server/captured-log.ts'
import { eventually } from '../harness/eventually.ts'
import { expectError, expectRateLimitHeaders } from '../harness/expect-error.ts'
import { metricOf } from '../harness/metrics.ts'
import { statementsDuring } from '../harness/statements-during.ts'
import { type ApiResponse, control, tenantClient } from '../harness/tenant-client.ts'
import { createTestClock } from '../harness/test-clock.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

/** Longer than the tests may take: a response proves that it came before the end of the wait. */
const longWait = 60

describe('GET /verify/status with wait', () => {
  const captured = captureLog()
  const service = useService({ clock: createTestClock(), log: captured.log })
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)
  afterEach(() => expect(service.waits.count).to.equal(0))

  const started = async (): Promise<string> => (await client.start()).body.verificationId
  const waiting = (count: number) => eventually(() => service.waits.count === count)
  const allIdle = () => {
    const { totalCount, idleCount } = service.services.database.pool
    return totalCount === idleCount
  }

  /** The response to a request that waits while the change is made. */
  async function during(verificationId: string, change: () => Promise<unknown>): Promise<ApiResponse> {
    const response = client.awaitChange(verificationId, longWait)
    await waiting(1)
    await change()
    return await response
  }

  it('returns each change of the status when it is committed', async () => {
    const id = await started()
    for (const [action, outcome, status] of [
      ['open', undefined, 'started'],
      ['submit', undefined, 'submitted'],
      ['decide', 'resubmission', 'resubmission'],
      ['open', undefined, 'started'],
      ['submit', undefined, 'submitted'],
      ['decide', 'approve-minor', 'approved'],
    ] as const) {
      const response = await during(id, () => control(service, id, action, outcome ? { outcome } : {}))
      expect(response.status).to.equal(200)
      expect(response.body)
        .to.deep.equal((await client.status(id)).body)
        .and.to.include({ status })
      expectRateLimitHeaders(response, true)
    }
  })

  it('returns the unchanged status at the end of the wait, which is no time that the service took', async () => {
    const seconds = () =>
      metricOf(service.services.registry, 'age_verification_http_request_duration_seconds_sum', {
        route: 'GET /verify/status',
      })
    const id = await started()
    const { body } = await client.status(id)
    const before = await seconds()
    const response = await client.awaitChange(id, 1)
    expect(response.status).to.equal(200)
    expect(response.body).to.deep.equal(body)
    const requestId = response.headers.get('x-request-id')
    const line = (await captured.linesOf(requestId)).at(-1) as Record<string, number>
    expect(line.durationMs).to.be.at.least(990)
    expect(line.waitedMs).to.be.within(1, line.durationMs!)
    expect((await seconds()) - before).to.be.closeTo((line.durationMs! - line.waitedMs!) / 1_000, 0.001)
  })

  it('returns the status of a completed verification at once, and that of any with wait=0', async () => {
    for (const [id, seconds] of [
      [await client.decided('approve-adult'), longWait],
      [await client.decided('decline'), longWait],
      [await started(), 0],
    ] as const) {
      const response = await client.awaitChange(id, seconds)
      expect(response.body).to.deep.equal((await client.status(id)).body)
    }
  })

  it('counts once in the rate window', async () => {
    const remaining = ({ headers }: ApiResponse) => Number(headers.get('x-ratelimit-remaining'))
    const id = await started()
    const before = await client.status(id)
    const changed = await during(id, () => control(service, id, 'open'))
    const after = await client.status(id)
    expect([before, changed, after].map(remaining)).to.deep.equal([5_999, 5_998, 5_997])
  })

  it('has no connection to the database while it waits', async () => {
    const id = await started()
    const response = client.awaitChange(id, longWait)
    await waiting(1)
    await eventually(allIdle)
    await control(service, id, 'open')
    await response
  })

  it('reads a status once a second for all requests that wait for it', async () => {
    const id = await started()
    const responses = Array.from({ length: 20 }, () => client.awaitChange(id, longWait))
    await waiting(20)
    // What the requests sent before they waited must not count.
    await eventually(allIdle)
    const startedAt = performance.now()
    const sent = await statementsDuring(async () => {
      await control(service, id, 'open')
      await Promise.all(responses)
    })
    // Timers differ by milliseconds: some look in another turn than the others, or early and so twice.
    const looksMax = 2 * Math.ceil((performance.now() - startedAt) / 1_000) + 1
    for (const name of ['find-verification', 'find-access-of-keys'])
      expect(sent.filter(each => each === name).length, name).to.be.within(1, looksMax)
    for (const response of responses) expect((await response).body.status).to.equal('started')
  })

  it('ends the wait of a client that disconnects, without reading the status again', async () => {
    const id = await started()
    const disconnect = new AbortController()
    const response = fetch(`${service.baseUrl}/verify/status?verificationId=${id}&wait=${longWait}`, {
      headers: { 'x-tenant-api-key': tenant.apiKey },
      signal: disconnect.signal,
    }).catch((error: Error) => error.name)
    await waiting(1)
    const startedAt = performance.now()
    const sent = await statementsDuring(async () => {
      disconnect.abort()
      expect(await response).to.equal('AbortError')
      await waiting(0)
    })
    // All look when a second begins, which may be between the abort and its arrival; a timer may be early.
    const looksMax = Math.floor((performance.now() + 20) / 1_000) - Math.floor(startedAt / 1_000)
    expect(sent.filter(name => name.startsWith('find-verification')).length).to.be.at.most(looksMax)
  })

  const changes: [title: string, code: ErrorCode, change: (id: string) => Promise<unknown>][] = [
    [
      'its key was revoked',
      'UNAUTHENTICATED_TENANT',
      () => revokeApiKey(forTenant(service.operator(), tenant.tenantId), { apiKeyId: tenant.apiKeyId }),
    ],
    [
      'its tenant was disabled',
      'TENANT_INACTIVE',
      () => setTenantEnabled(forTenant(service.operator(), tenant.tenantId), { enabled: false }),
    ],
    [
      'its verification was erased',
      'VERIFICATION_NOT_FOUND',
      id => eraseVerification(service.operator(), { verificationId: id, skipProvider: true }),
    ],
  ]
  for (const [title, code, change] of changes) {
    it(`tells nothing to a request if ${title} during the wait`, async () => {
      const id = await started()
      const response = await during(id, async () => {
        await change(id)
        if (code !== 'VERIFICATION_NOT_FOUND') await control(service, id, 'open')
      })
      expectError(response, code)
    })
  }
})
