import { expect } from 'chai'
import { ProviderUnavailable } from '#domain/ports.ts'
import type { ProviderOutcome } from '#domain/provider-result.ts'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { pollProvider } from '#domain/verification/poll-provider.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { submitVerification } from '#domain/verification/submit-verification.ts'
import { eventually } from '../../harness/eventually.ts'
import { effectsOf } from './effects.ts'
import { dayMs, hourMs, useFixture } from './fixture.ts'
import { unavailable } from './scripted-provider.ts'
import { type OneVerification, startOne } from './start-one.ts'
import { afterStatement } from './with-query.ts'

const daySeconds = dayMs / 1000

describe('Polling the provider for a decision', () => {
  const fixture = useFixture()
  let tenantId: string
  let one: OneVerification
  before(async () => {
    tenantId = await fixture.addTenant()
  })
  beforeEach(async () => {
    fixture.provider.before = async () => {}
    await fixture.rows('update open_verification set poll_at = null')
    one = await startOne(fixture, tenantId)
    fixture.provider.polled.length = 0
    fixture.wakeUps.length = 0
  })

  it('is due immediately after POST /verify/submit, and the worker is woken', async () => {
    const report = await submitVerification(fixture.tenant(tenantId), one.verificationId)
    expect(report).to.include({ status: 'pending', completedAt: null, confidence: null, token: null })
    expect(fixture.wakeUps).to.deep.equal(['polling'])
    expect(await pollProvider(fixture.service())).to.equal(1)
    expect(fixture.provider.polled).to.deep.equal([one.providerSessionId])
  })

  it('finds a decision whose callback was lost, and stops', async () => {
    fixture.provider.decisions.set(one.providerSessionId, one.result('approved', { over18: true }))
    await submitVerification(fixture.tenant(tenantId), one.verificationId)
    await pollProvider(fixture.service())
    const report = await getVerificationStatus(fixture.tenant(tenantId), one.verificationId)
    expect(report.status).to.equal('approved')
    expect(report.token).to.be.a('string')
    expect(await dueAt(one)).to.equal(null)
  })

  it('backs off while there is no decision, to once a day', async () => {
    await submitVerification(fixture.tenant(tenantId), one.verificationId)
    const gaps = [5, 10, 20, 60, 300, 900, 3600, 4 * 3600, 16 * 3600, daySeconds, daySeconds, daySeconds]
    expect(await pollRepeatedly(12)).to.deep.equal(gaps)
    expect(fixture.provider.polled).to.have.length(12)
  })

  it('continues while the provider is unavailable', async () => {
    fixture.provider.before = unavailable
    await submitVerification(fixture.tenant(tenantId), one.verificationId)
    await pollProvider(fixture.service())
    fixture.provider.before = async () => {}
    fixture.provider.decisions.set(one.providerSessionId, one.result('declined'))
    fixture.clock.advance(5_000)
    await pollProvider(fixture.service())
    const report = await getVerificationStatus(fixture.tenant(tenantId), one.verificationId)
    expect(report.status).to.equal('denied')
  })

  it('restarts with each submit, even while a response is pending', async () => {
    await submitVerification(fixture.tenant(tenantId), one.verificationId)
    for (let polled = 0; polled < 6; polled++) {
      await pollProvider(fixture.service())
      fixture.clock.set(new Date((await dueAt(one))!))
    }
    fixture.provider.before = async () => {
      fixture.provider.before = async () => {}
      await submitVerification(fixture.tenant(tenantId), one.verificationId)
    }
    await pollProvider(fixture.service())
    fixture.provider.polled.length = 0
    fixture.clock.advance(30_000)
    await pollProvider(fixture.service())
    expect(fixture.provider.polled).to.deep.equal([one.providerSessionId])
  })

  it('is not lost when the tenant submits while a resubmission is being recorded', async () => {
    const repeat = one.result('resubmission_requested', { attemptId: 'first', decidedAt: fixture.clock() })
    fixture.provider.decisions.set(one.providerSessionId, repeat)
    await submitVerification(fixture.tenant(tenantId), one.verificationId)
    const racing = afterStatement(fixture.service(), 'move-verification', () =>
      submitVerification(fixture.tenant(tenantId), one.verificationId),
    )
    await pollProvider(racing)
    fixture.clock.advance(30_000)
    expect(await pollProvider(fixture.service())).to.equal(1)
  })

  it('is done by one worker at a time, and by another within 30 s if that one is killed', async () => {
    const response = Promise.withResolvers<void>()
    await submitVerification(fixture.tenant(tenantId), one.verificationId)
    fixture.provider.before = () => response.promise
    const asking = pollProvider(fixture.service())
    await eventually(() => fixture.provider.polled.length === 1)
    fixture.provider.before = async () => {}
    const other = await fixture.openProcess()
    expect(await pollProvider(other.service())).to.equal(0)
    fixture.clock.advance(29_999)
    expect(await pollProvider(other.service())).to.equal(0)
    fixture.clock.advance(1)
    expect(await pollProvider(other.service())).to.equal(1)
    const due = await dueAt(one)
    response.resolve()
    await asking
    expect(await dueAt(one)).to.equal(due)
  })

  it('polls the others if one cannot be recorded, and finishes them before it fails', async () => {
    const healthy = await startOne(fixture, tenantId)
    for (const { verificationId } of [one, healthy]) {
      await submitVerification(fixture.tenant(tenantId), verificationId)
    }
    fixture.provider.decisions.set(healthy.providerSessionId, healthy.result('approved'))
    fixture.provider.before = async () => {
      if (fixture.provider.polled.at(-1) === one.providerSessionId) throw new TypeError('a defect')
      await new Promise(resolve => setImmediate(resolve))
    }
    const outcome = await pollProvider(fixture.service()).catch(error => error)
    expect(outcome).to.be.instanceOf(TypeError)
    const { status } = await getVerificationStatus(fixture.tenant(tenantId), healthy.verificationId)
    expect(status).to.equal('approved')
    expect(await dueAt(one)).to.equal(fixture.clock().getTime() + 30_000)
  })

  it('waits longer where the provider asks for it, and so does what else is due', async () => {
    const other = await startOne(fixture, tenantId)
    fixture.provider.before = async () => {
      throw new ProviderUnavailable('rejected', 'Veriff returned 429', 90_000)
    }
    await submitVerification(fixture.tenant(tenantId), one.verificationId)
    expect(await pollProvider(fixture.service())).to.equal(1)
    expect(await dueAt(one)).to.equal(fixture.clock().getTime() + 90_000)
    await submitVerification(fixture.tenant(tenantId), other.verificationId)
    fixture.clock.advance(89_999)
    expect(await pollProvider(fixture.service())).to.equal(0)
    expect(fixture.provider.polled).to.deep.equal([one.providerSessionId])
    fixture.provider.before = async () => {}
    fixture.clock.advance(1)
    expect(await pollProvider(fixture.service())).to.equal(2)
  })

  describe('without a submit', () => {
    it('begins an hour after the start, and backs off to once a day', async () => {
      fixture.clock.advance(hourMs - 1)
      expect(await pollProvider(fixture.service())).to.equal(0)
      fixture.clock.advance(1)
      expect(await pollRepeatedly(5)).to.deep.equal([4 * 3600, 16 * 3600, daySeconds, daySeconds, daySeconds])
    })

    for (const reported of [[], ['started'], ['started', 'submitted'], ['review']] as ProviderOutcome[][]) {
      it(`finds a decision whose callback was lost after ${reported.join(' and ') || 'the start'}`, async () => {
        for (const outcome of reported) await recordProviderResult(fixture.service(), one.result(outcome))
        fixture.provider.decisions.set(one.providerSessionId, one.result('approved', { over18: true }))
        fixture.clock.advance(hourMs)
        expect(await pollProvider(fixture.service())).to.equal(1)
        const report = await getVerificationStatus(fixture.tenant(tenantId), one.verificationId)
        expect(report).to.include({ status: 'approved', over18: true })
        expect((await effectsOf(fixture, one.verificationId)).effects).to.include({
          deliveries: 1,
          tokens: 1,
        })
        fixture.clock.advance(9 * dayMs)
        expect(await pollProvider(fixture.service())).to.equal(0)
      })
    }

    it('of many that were abandoned delays no poll that a tenant asks for', async () => {
      await Promise.all(Array.from({ length: 30 }, () => startOne(fixture, tenantId)))
      fixture.clock.advance(hourMs + 1)
      await submitVerification(fixture.tenant(tenantId), one.verificationId)
      expect(await pollProvider(fixture.service())).to.equal(20)
      expect(fixture.provider.polled).to.include(one.providerSessionId)
    })
  })

  /** Polls whenever it is due, and never earlier. Returns the seconds between the polls. */
  async function pollRepeatedly(times: number): Promise<number[]> {
    const gaps: number[] = []
    while (gaps.length < times) {
      expect(await pollProvider(fixture.service())).to.equal(1)
      const gap = (await dueAt(one))! - fixture.clock().getTime()
      gaps.push(gap / 1000)
      fixture.clock.advance(gap - 1)
      expect(await pollProvider(fixture.service())).to.equal(0)
      fixture.clock.advance(1)
    }
    return gaps
  }

  async function dueAt({ verificationId }: OneVerification): Promise<number | null> {
    const [row] = await fixture.rows<{ due: number | null }>(
      'select (extract(epoch from poll_at) * 1000)::float8 as due from open_verification where verification_id = $1',
      [verificationId],
    )
    return row?.due ?? null
  }
})
