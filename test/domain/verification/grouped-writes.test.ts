import { expect } from 'chai'
import type { Scope } from '#domain/scope.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { startVerification } from '#domain/verification/start-verification.ts'
import { useFixture } from './fixture.ts'
import { type OneVerification, startOne } from './start-one.ts'
import { withQuery } from './with-query.ts'

describe('Writes of verifications that arrive together', () => {
  const fixture = useFixture('test')
  let mine: string
  let other: string
  beforeEach(async () => {
    mine = await fixture.addTenant()
    other = await fixture.addTenant({ receivesEvents: false })
  })

  it('store of a start exactly what they store alone', async () => {
    const inputs = [{}, { idempotencyKey: 'k', ip: '::1' }, { idempotencyKey: 'l' }]
    const alone = []
    for (const input of inputs) alone.push(await startVerification(fixture.tenant(mine), input))
    const sent = await sentDuring(async () => {
      const together = await Promise.all(inputs.map(input => startVerification(fixture.tenant(other), input)))
      const again = await startVerification(fixture.tenant(other), { idempotencyKey: 'l' })
      expect(again).to.deep.equal({ ...together[2], replayed: true })
    })
    expect(sent).to.include('confirm-start')
    expect(await startedRows(other)).to.deep.equal(await startedRows(mine))
  })

  it('store of a result exactly what they store alone, each for its own verification', async () => {
    const outcomes = ['approved', 'declined', 'expired', 'approved', 'started', 'submitted'] as const
    const alone = await startWithAttempts(mine, outcomes.length)
    for (const [n, one] of alone.entries()) await record(one, outcomes[n]!, n)
    const together = await startWithAttempts(other, outcomes.length)
    const sent = await sentDuring(() => Promise.all(together.map((one, n) => record(one, outcomes[n]!, n))))
    expect(sent).to.include.members(['complete-verification', 'move-verification'])
    expect(await changedRows(together)).to.deep.equal(await changedRows(alone))
    expect(await daysOf(other)).to.deep.equal(await daysOf(mine))
    const delivered = await fixture.rows('select tenant_id as tenant from delivery')
    expect(delivered).to.deep.equal(Array.from({ length: 4 }, () => ({ tenant: mine })))
  })

  it('of the same rows in two processes complete each verification once, without deadlocks', async () => {
    const errors: unknown[] = []
    const processes = [fixture, await fixture.openProcess()]
    const services = processes.map(process => observing(process.service(), errors))
    const tenants = await Promise.all(Array.from({ length: 10 }, () => fixture.addTenant()))
    for (let round = 0; round < 5; round++) {
      const ones = await Promise.all([...tenants, ...tenants, ...tenants].map(id => startOne(fixture, id)))
      const orders = [ones, ones.toReversed()]
      const recorded = await Promise.all(
        services.flatMap((service, n) =>
          orders[n]!.map(one => recordProviderResult(service, one.result('approved'))),
        ),
      )
      expect(recorded.filter(effect => effect === 'applied')).to.have.length(30)
      expect(recorded.filter(effect => effect === 'unchanged')).to.have.length(30)
    }
    expect(errors).to.deep.equal([])
    const progress = { started: 15, opened: 15, user_submitted: 15 }
    const day = { ...progress, approved: 15, denied: 0, rejected: 0, over18: 0, under18: 0 }
    for (const tenantId of tenants) expect(await daysOf(tenantId)).to.deep.equal([day])
    expect(await fixture.rows('select from delivery')).to.have.length(150)
  })

  async function sentDuring(work: () => Promise<unknown>): Promise<string[]> {
    const before = fixture.sent.length
    await work()
    return fixture.sent.slice(before)
  }

  /** Verifications of which every second one had to be repeated. */
  async function startWithAttempts(tenantId: string, count: number): Promise<OneVerification[]> {
    const ones: OneVerification[] = []
    for (let n = 0; n < count; n++) ones.push(await startOne(fixture, tenantId))
    for (const [n, one] of ones.entries()) {
      if (n % 2) await record(one, 'resubmission_requested', n, `first, "${n}" \\ {${n}}`)
    }
    return ones
  }

  function record(
    one: OneVerification,
    outcome: 'approved' | 'declined' | 'expired' | 'started' | 'submitted' | 'resubmission_requested',
    n: number,
    attemptId = `attempt ${n}`,
  ): Promise<unknown> {
    const isEvent = outcome === 'started' || outcome === 'submitted'
    const decision = { score: n / 10, over18: n === 0 ? true : null, decidedAt: fixture.clock() }
    const result = one.result(outcome, { attemptId, code: 9000 + n, ...(!isEvent && decision) })
    return recordProviderResult(fixture.service(), { ...result, reasonCode: n % 2 ? `reason ${n}` : null })
  }

  /** In the order of the verifications. */
  async function changedRows(ones: OneVerification[]): Promise<Record<string, unknown>[]> {
    return await fixture.rows(
      `select v.status, v.completed_at, v.decided_at, v.confidence, v.revision, v.over18, v.attempt_id,
         v.past_attempt_ids, v.timeline::text, v.token_id is not null as has_token, v.token_signer,
         length(v.token_signature) as signature, o.status as open_status, l.status as listed
       from unnest($1::uuid[]) with ordinality as ids (id, n) join verification v using (id)
       left join open_verification o on o.verification_id = id
       left join verification_outcome l on l.verification_id = id order by n`,
      [ones.map(one => one.verificationId)],
    )
  }

  async function startedRows(tenantId: string): Promise<unknown> {
    return await fixture.rows(
      `select v.status, v.revision, o.status as open_status, o.closes_at, k.key_digest,
         k.locked_until, length(k.encrypted_session_url) > 0 as has_response, d.started, m.used,
         (select count(*) from start_reservation s where s.tenant_id = v.tenant_id) as reserved
       from verification v join open_verification o on o.verification_id = v.id and o.tenant_id = v.tenant_id
       left join idempotency_key k on k.verification_id = v.id and k.tenant_id = v.tenant_id
       join usage_day d on d.tenant_id = v.tenant_id join usage_month m on m.tenant_id = v.tenant_id
       where v.tenant_id = $1 order by k.key_digest`,
      [tenantId],
    )
  }

  async function daysOf(tenantId: string): Promise<unknown[]> {
    return await fixture.rows(
      `select started, approved, denied, rejected, opened, user_submitted, over18, under18
       from usage_day where tenant_id = $1`,
      [tenantId],
    )
  }
})

/** A scope that collects the errors of its statements. */
function observing<S extends Scope>(scope: S, errors: unknown[]): S {
  return withQuery(scope, statement =>
    scope.pool.query(statement).catch(error => {
      errors.push(error)
      throw error
    }),
  )
}
