import { createHash } from 'node:crypto'
import { mock } from 'node:test'
import { expect } from 'chai'
import { DomainError } from '#domain/errors.ts'
import { lookEveryMs, WaitingRequests } from '#domain/fairness/waiting-requests.ts'
import { firstIdAt } from '#domain/ids.ts'
import type { StartedVerification } from '#domain/verification/confirm-start.ts'
import { deleteIdempotencyKeys } from '#domain/verification/delete-idempotency-keys.ts'
import { type StartInput, startVerification } from '#domain/verification/start-verification.ts'
import { eventually } from '../../harness/eventually.ts'
import { rejected } from '../administration/rejected.ts'
import { dayMs, useFixture } from './fixture.ts'
import { unavailable } from './scripted-provider.ts'

describe('An Idempotency-Key', () => {
  const fixture = useFixture()
  let tenantId: string
  beforeEach(async () => {
    fixture.provider.before = async () => {}
    fixture.clock.set(new Date('2026-11-20T12:00:00.000Z'))
    tenantId = await fixture.addTenant()
  })

  it('starts one verification for 20 equal concurrent requests in two processes, with one response for all', async () => {
    const other = await fixture.openProcess()
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        startVerification((index % 2 ? other : fixture).tenant(tenantId), {
          idempotencyKey: 'order-7',
          ip: '203.0.113.7',
        }),
      ),
    )
    const [first] = responses.filter(({ replayed }) => !replayed)
    const again = { ...first!, replayed: true }
    expect(responses.filter(({ replayed }) => replayed)).to.deep.equal(Array(19).fill(again))
    expect(await fixture.countStarts(tenantId)).to.deep.equal({ stored: 1, used: 1, reserved: 0, started: 1 })
  })

  it('is free again after a failed start, which stores nothing under it', async () => {
    fixture.provider.before = unavailable
    await rejected(start({ idempotencyKey: 'k' }), 'INTERNAL_ERROR')
    expect(await keysOf(tenantId)).to.deep.equal([])
    fixture.provider.before = async () => {}
    await start({ idempotencyKey: 'k', ip: '203.0.113.7' })
    expect(await fixture.countStarts(tenantId)).to.deep.equal({ stored: 1, used: 1, reserved: 0, started: 1 })
  })

  it('makes a request wait for 12 s at most', async () => {
    await holdAsKilled(tenantId, 'k')
    const scope = fixture.tenant(tenantId)
    // In the middle of a second; all look when one begins.
    let nowMs = 500
    scope.waitingRequests = new WaitingRequests(1)
    mock.method(scope.waitingRequests, 'nextLook', async () => {
      nowMs += lookEveryMs - (nowMs % lookEveryMs)
      return true
    })
    const now = mock.method(performance, 'now', () => nowMs)
    const error = await rejected(startVerification(scope, { idempotencyKey: 'k' }), 'INTERNAL_ERROR').finally(
      () => now.mock.restore(),
    )
    expect(nowMs).to.equal(12_000)
    expect(error.message).to.match(/^The first request with this Idempotency-Key is still running/)
    expect(error.details).to.deep.equal({ retryAfterSeconds: 9 })
    expect(await fixture.countStarts(tenantId)).to.include({ stored: 0 })
  })

  it('is locked by one other request 20 s after its process was killed, and not before', async () => {
    await holdAsKilled(tenantId, 'k')
    fixture.clock.advance(19_999)
    const early = start({ idempotencyKey: 'k' })
    await waiting(1)
    expect(await fixture.countStarts(tenantId)).to.include({ stored: 0 })
    fixture.clock.advance(1)
    const responses = await Promise.all(Array.from({ length: 4 }, () => start({ idempotencyKey: 'k' })))
    expect(new Set(responses.map(response => response.verificationId)).size).to.equal(1)
    expect(await fixture.countStarts(tenantId)).to.include({ stored: 1 })
    expect((await early).verificationId).to.equal(responses[0]!.verificationId)
  })

  it('returns one response even if a request was so slow that another locked the key', async () => {
    const slow = Promise.withResolvers<void>()
    fixture.provider.before = () => slow.promise
    const before = fixture.provider.created.length
    const first = start({ idempotencyKey: 'k' })
    await eventually(() => fixture.provider.created.length > before)
    fixture.clock.advance(20_001)
    fixture.provider.before = async () => {}
    const response = await start({ idempotencyKey: 'k' })
    slow.resolve()
    const late = await first.catch((error: unknown) => error)
    if (late instanceof Error) expect(late).to.be.instanceOf(DomainError)
    else expect(late).to.deep.equal(response)
    expect(await start({ idempotencyKey: 'k' })).to.deep.equal({ ...response, replayed: true })
    expect(await fixture.countStarts(tenantId)).to.deep.equal({ stored: 1, used: 1, reserved: 0, started: 1 })
  })

  it('belongs to its tenant and to one body', async () => {
    const first = await start({ idempotencyKey: 'k', userAgent: 'a' })
    for (const input of [{}, { userAgent: 'b' }, { ip: 'a' }, { userAgent: 'a', ip: '::1' }]) {
      await rejected(start({ idempotencyKey: 'k', ...input }), 'INVALID_REQUEST_BODY')
    }
    const elsewhere = await fixture.addTenant()
    const other = await startVerification(fixture.tenant(elsewhere), { idempotencyKey: 'k', userAgent: 'b' })
    expect(other.verificationId).not.to.equal(first.verificationId)
    const again = await start({ idempotencyKey: 'k', userAgent: 'a' })
    expect(again).to.deep.equal({ ...first, replayed: true })
  })

  it('returns its response beyond the quota, for 24 hours and no longer', async () => {
    tenantId = await fixture.addTenant({ limits: { monthlyQuota: 1, hardLimit: 1, overage: false } })
    const first = await start({ idempotencyKey: 'k' })
    await rejected(start({}), 'HARD_LIMIT_EXCEEDED')
    fixture.clock.advance(dayMs - 1)
    expect(await start({ idempotencyKey: 'k' })).to.deep.equal({ ...first, replayed: true })
    expect(await deleteIdempotencyKeys(fixture.service())).to.equal(0)
    fixture.clock.advance(1)
    await rejected(start({ idempotencyKey: 'k' }), 'HARD_LIMIT_EXCEEDED')
  })

  it('does not store the URL of the hosted flow in plain text', async () => {
    const { sessionUrl } = await start({ idempotencyKey: 'k' })
    const [row] = await fixture.rows<{ encrypted: Buffer }>(
      'select encrypted_session_url as encrypted from idempotency_key where tenant_id = $1',
      [tenantId],
    )
    expect(row?.encrypted.toString('latin1')).not.to.include(sessionUrl.slice(-36))
  })

  it('is deleted after 24 hours, in batches and by any number of workers', async () => {
    await fixture.rows(
      `insert into idempotency_key
         (tenant_id, key_digest, request_digest, verification_id, created_at, locked_until)
       select $1, gen_random_uuid(), gen_random_uuid(), ($3 || lpad(n::text, 12, '0'))::uuid, $2, $2
       from generate_series(1, 2500) n`,
      [tenantId, fixture.clock(), firstIdAt(fixture.clock()).slice(0, 24)],
    )
    fixture.clock.advance(1)
    await start({ idempotencyKey: 'young' })
    fixture.clock.advance(dayMs)
    const dropped = await Promise.all([1, 2, 3].map(() => deleteIdempotencyKeys(fixture.service())))
    for (const count of dropped) expect(count).to.be.at.most(1_000)
    while ((await deleteIdempotencyKeys(fixture.service())) > 0);
    expect(await keysOf(tenantId)).to.deep.equal([digestOf('young')])
  })

  const waiting = (count: number) => eventually(() => fixture.waits.count === count)

  function start(input: StartInput): Promise<StartedVerification> {
    return startVerification(fixture.tenant(tenantId), input)
  }

  /** As a start without a body leaves it when its process is killed. Returns its verification. */
  async function holdAsKilled(ofTenant: string, key: string): Promise<string> {
    const [row] = await fixture.rows<{ id: string }>(
      `insert into idempotency_key
         (tenant_id, key_digest, request_digest, verification_id, created_at, locked_until)
       values ($1, $2, $3, gen_random_uuid(), $4, $5) returning verification_id as id`,
      [
        ofTenant,
        digestOf(key),
        digestOf('[null,null]'),
        fixture.clock(),
        new Date(fixture.clock().getTime() + 20_000),
      ],
    )
    return row!.id
  }

  async function keysOf(ofTenant: string): Promise<string[]> {
    const keys = await fixture.rows<{ digest: string }>(
      'select key_digest as digest from idempotency_key where tenant_id = $1',
      [ofTenant],
    )
    return keys.map(({ digest }) => digest.replaceAll('-', ''))
  }
})

/** The first half of the SHA-256. */
function digestOf(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 32)
}
