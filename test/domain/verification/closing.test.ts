import { expect } from 'chai'
import type { ProviderOutcome } from '#domain/provider-result.ts'
import { closeVerifications } from '#domain/verification/close-verifications.ts'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { submitVerification } from '#domain/verification/submit-verification.ts'
import { eventually } from '../../harness/eventually.ts'
import { effectsOf } from './effects.ts'
import { dayMs, minuteMs, type Process, useFixture } from './fixture.ts'
import { unavailable } from './scripted-provider.ts'
import { type OneVerification, startOne } from './start-one.ts'

describe('The end of a verification’s lifetime', () => {
  const fixture = useFixture('test')
  let tenantId: string
  beforeEach(async () => {
    tenantId = await fixture.addTenant()
  })

  it('completes what was never submitted as rejected, and everything else in its status', async () => {
    const lives: [reports: ProviderOutcome[], end: string][] = [
      [[], 'rejected'],
      [['started'], 'rejected'],
      [['started', 'submitted'], 'submitted'],
      [['review'], 'submitted'],
      [['started', 'submitted', 'resubmission_requested'], 'resubmission'],
    ]
    const ended = await Promise.all(
      lives.map(async ([reports, end]) => {
        const one = await startOne(fixture, tenantId)
        for (const outcome of reports) {
          await recordProviderResult(fixture.service(), one.result(outcome, { attemptId: 'first' }))
        }
        return { one, end }
      }),
    )
    const stillOpen = await startedLater()
    fixture.clock.advance(8 * dayMs - 1)
    expect(await closeVerifications(fixture.service())).to.equal(0)
    fixture.clock.advance(1)
    expect(await closeVerifications(fixture.service())).to.equal(lives.length)
    for (const { one, end } of ended) {
      const report = await statusOf(one)
      expect(report).to.include({ status: end, confidence: 0, token: null })
      expect(report.completedAt).to.deep.equal(fixture.clock())
      expect((await effectsOf(fixture, one.verificationId)).effects).to.include({
        deliveries: 1,
        notifiedStatus: end,
      })
    }
    expect((await statusOf(stillOpen)).completedAt).to.equal(null)
    expect(await closeVerifications(fixture.service())).to.equal(0)
  })

  it('polls the provider first, and its decision wins', async () => {
    const one = await startOne(fixture, tenantId)
    fixture.provider.decisions.set(
      one.providerSessionId,
      one.result('approved', { over18: true, score: 0.9 }),
    )
    await closeAfterLifetime()
    expect(fixture.provider.polled).to.deep.equal([one.providerSessionId])
    const report = await statusOf(one)
    expect(report).to.include({ status: 'approved', confidence: 0.9 })
    expect(report.token).to.be.a('string')
    const { effects } = await effectsOf(fixture, one.verificationId)
    expect(effects).to.include({ deliveries: 1, tokens: 1, notifiedStatus: 'approved', lastMove: 'approved' })
  })

  it('completes in the status of the provider’s last result if that is no decision', async () => {
    const one = await startOne(fixture, tenantId)
    fixture.provider.decisions.set(
      one.providerSessionId,
      one.result('review', { decidedAt: fixture.clock() }),
    )
    await closeAfterLifetime()
    expect(await statusOf(one)).to.include({ status: 'submitted', confidence: 0 })
  })

  it('is postponed with increasing delays while the provider is unavailable, and handled when it is back', async () => {
    const one = await startOne(fixture, tenantId)
    fixture.provider.before = unavailable
    await closeAfterLifetime()
    const gaps: number[] = []
    for (let tries = 0; tries < 8; tries++) {
      const gap = (await closesAt(one)) - fixture.clock().getTime()
      gaps.push(gap / 1000)
      fixture.clock.advance(gap - 1)
      expect(await closeVerifications(fixture.service())).to.equal(0)
      fixture.clock.advance(1)
      expect(await closeVerifications(fixture.service())).to.equal(1)
      expect((await statusOf(one)).completedAt).to.equal(null)
    }
    expect(gaps).to.deep.equal([30, 60, 120, 240, 480, 960, 1800, 1800])
    fixture.provider.before = async () => {}
    fixture.provider.decisions.set(one.providerSessionId, one.result('approved', { over18: true }))
    fixture.clock.advance(30 * minuteMs)
    await closeVerifications(fixture.service())
    expect((await statusOf(one)).status).to.equal('approved')
  })

  it('is applied after twice the lifetime without the provider, however often the tenant submits meanwhile', async () => {
    const one = await startOne(fixture, tenantId)
    await recordProviderResult(fixture.service(), one.result('submitted'))
    fixture.provider.before = unavailable
    const startedAt = fixture.clock().getTime()
    fixture.clock.advance(8 * dayMs)
    while ((await statusOf(one)).completedAt === null) {
      await closeVerifications(fixture.service())
      if ((await statusOf(one)).completedAt !== null) break
      await submitVerification(fixture.tenant(tenantId), one.verificationId)
      fixture.clock.set(new Date(await closesAt(one)))
    }
    expect(await statusOf(one)).to.include({ status: 'submitted', confidence: 0 })
    const days = (fixture.clock().getTime() - startedAt) / dayMs
    expect(days).to.be.within(16, 16.1)
    expect((await effectsOf(fixture, one.verificationId)).effects.deliveries).to.equal(1)
  })

  it('is not postponed so long that a token would outlive the verification', async () => {
    const one = await startOne(fixture, tenantId)
    fixture.provider.before = unavailable
    const closeWithRetention = async () => {
      const scope = fixture.service()
      const rules = { ...scope.rules, verificationRetentionMs: scope.rules.tokenLifetimeMs + 10 * dayMs }
      expect(await closeVerifications({ ...scope, em: scope.em, rules })).to.equal(1)
      return (await statusOf(one)).completedAt
    }
    fixture.clock.advance(10 * dayMs - 1)
    expect(await closeWithRetention()).to.equal(null)
    fixture.clock.set(new Date(await closesAt(one)))
    expect(await closeWithRetention()).to.deep.equal(fixture.clock())
  })

  it('is applied once with several concurrent workers and callbacks', async () => {
    const workers: Process[] = [fixture, await fixture.openProcess(), await fixture.openProcess()]
    const all = await Promise.all(Array.from({ length: 60 }, () => startOne(fixture, tenantId)))
    for (const [index, one] of all.entries()) {
      if (index % 3 === 0) fixture.provider.decisions.set(one.providerSessionId, one.result('declined'))
    }
    fixture.clock.advance(8 * dayMs)
    const callbacks = all
      .filter((_, index) => index % 2 === 0)
      .flatMap(one => [one.result('approved', { over18: true }), one.result('submitted')])
    await Promise.all([
      ...workers.flatMap(worker => [1, 2].map(() => drain(worker))),
      ...callbacks.map(result => recordProviderResult(workers[1]!.service(), result)),
    ])
    for (const { verificationId } of all) {
      const { completedAt, effects } = await effectsOf(fixture, verificationId)
      expect(completedAt).not.to.equal(null)
      expect(effects).to.include({ deliveries: 1, notifiedStatus: effects.status, lastMove: effects.status })
      expect(effects.tokens).to.equal(effects.status === 'approved' ? 1 : 0)
    }
    const [usage] = await fixture.rows<{ completed: number }>(
      'select sum(approved + denied + rejected + submitted + resubmission)::int as completed from usage_day',
    )
    expect(usage?.completed).to.equal(60)
  })

  it('is applied by another worker within 30 s if one is killed, even after many attempts', async () => {
    const one = await startOne(fixture, tenantId)
    await fixture.rows('update open_verification set close_attempts = 7')
    fixture.clock.advance(8 * dayMs)
    const killed = Promise.withResolvers<void>()
    fixture.provider.before = () => killed.promise
    const closing = closeVerifications(fixture.service())
    await eventually(() => fixture.provider.polled.length === 1)
    const other = await fixture.openProcess()
    expect(await closeVerifications(other.service())).to.equal(0)
    fixture.clock.advance(30_000)
    fixture.provider.before = async () => {}
    expect(await closeVerifications(other.service())).to.equal(1)
    const { completedAt } = await statusOf(one)
    expect(completedAt).to.deep.equal(fixture.clock())
    killed.resolve()
    await closing
    expect((await statusOf(one)).completedAt).to.deep.equal(completedAt)
    expect((await effectsOf(fixture, one.verificationId)).effects.deliveries).to.equal(1)
  })

  it('counts the completion on its UTC day', async () => {
    fixture.clock.set(new Date('2026-12-23T23:59:59.999Z'))
    await startOne(fixture, tenantId)
    await startOne(fixture, tenantId)
    fixture.clock.advance(8 * dayMs)
    await closeVerifications(fixture.service())
    const days = await fixture.rows('select day::text, started, rejected from usage_day order by day')
    expect(days).to.deep.equal([
      { day: '2026-12-23', started: 2, rejected: 0 },
      { day: '2026-12-31', started: 0, rejected: 2 },
    ])
  })

  async function closeAfterLifetime(): Promise<void> {
    fixture.clock.advance(8 * dayMs)
    expect(await closeVerifications(fixture.service())).to.equal(1)
  }

  async function startedLater(): Promise<OneVerification> {
    fixture.clock.advance(2)
    const one = await startOne(fixture, tenantId)
    fixture.clock.advance(-2)
    return one
  }

  function statusOf(one: OneVerification) {
    return getVerificationStatus(fixture.tenant(one.tenantId), one.verificationId)
  }

  async function closesAt(one: OneVerification): Promise<number> {
    const [row] = await fixture.rows<{ at: number }>(
      'select (extract(epoch from closes_at) * 1000)::float8 as at from open_verification where verification_id = $1',
      [one.verificationId],
    )
    return row!.at
  }
})

async function drain(worker: Process): Promise<void> {
  while ((await closeVerifications(worker.service())) > 0);
}
