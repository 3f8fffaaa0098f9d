import { expect } from 'chai'
import fc from 'fast-check'
import { providerOutcomes } from '#domain/provider-result.ts'
import { changeVerification } from '#domain/verification/change-verification.ts'
import { closeVerifications } from '#domain/verification/close-verifications.ts'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { getVerificationTimeline } from '#domain/verification/get-verification-timeline.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import type { StatusReport } from '#domain/verification/status-report.ts'
import { submitVerification } from '#domain/verification/submit-verification.ts'
import { countedCompletions, storedChanges, storedTokens } from '../../harness/stored-rows.ts'
import { effectsOf } from './effects.ts'
import { dayMs, type Fixture, useFixture } from './fixture.ts'
import { providerResult } from './scripted-provider.ts'
import { startOne } from './start-one.ts'
import { lifetimeOver } from './triggers.ts'

const results = fc.record({
  kind: fc.constant('result' as const),
  outcome: fc.constantFrom(...providerOutcomes),
  attemptId: fc.option(fc.constantFrom('first', 'second')),
  minute: fc.integer({ min: 0, max: 5 }),
  copies: fc.integer({ min: 1, max: 3 }),
})
const acts = fc.oneof(
  { weight: 6, arbitrary: results },
  { weight: 1, arbitrary: fc.constant({ kind: 'submit' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'close' as const }) },
)
type Act = typeof acts extends fc.Arbitrary<infer Value> ? Value : never

describe('Concurrent triggers', () => {
  const fixture = useFixture()
  let notReceiving: string
  let receiving: string
  before(async () => {
    notReceiving = await fixture.addTenant({ receivesEvents: false })
    receiving = await fixture.addTenant()
  })

  it('lead to one completion, one webhook event, at most one token and one count, in any interleaving', async () => {
    const groups = fc.array(fc.array(acts, { minLength: 1, maxLength: 6 }), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(groups, fc.boolean(), async (interleaving, receivesEvents) => {
        const tenantId = receivesEvents ? receiving : notReceiving
        const one = await startOne(fixture, tenantId)
        const seen: StatusReport[] = []
        for (const group of interleaving) {
          await Promise.all(group.flatMap(act => perform(fixture, one, act)))
          const status = await getVerificationStatus(fixture.tenant(tenantId), one.verificationId)
          if (status.completedAt) seen.push(status)
        }
        await changeVerification(fixture.service(), one, lifetimeOver)
        seen.push(await getVerificationStatus(fixture.tenant(tenantId), one.verificationId))
        const revoked = seen.find(({ tokenRevokedAt }) => tokenRevokedAt)
        for (const [index, status] of seen.entries()) {
          const isRevoked = revoked !== undefined && index >= seen.indexOf(revoked)
          const { tokenRevokedAt } = revoked ?? {}
          const revocation = isRevoked && { over18: null, token: null, tokenRevokedAt }
          expect(status).to.deep.equal({ ...seen[0], ...revocation })
        }
        const { completedAt, effects } = await effectsOf(fixture, one.verificationId)
        expect(completedAt).not.to.equal(null)
        expect(effects).to.deep.equal({
          deliveries: receivesEvents ? 1 : 0,
          tokens: effects.status === 'approved' ? 1 : 0,
          status: effects.status,
          notifiedStatus: receivesEvents ? effects.status : null,
          lastMove: effects.status,
          brokenSteps: 0,
          repeatedContradictions: 0,
        })
      }),
      { numRuns: 40 },
    )
    for (const tenantId of [notReceiving, receiving]) await expectUsageToAddUp(fixture, tenantId)
  })

  it('record at the completion whether a webhook URL was set, and tell of the event’s delivery, and nothing before', async () => {
    for (const [tenantId, hasWebhook] of [
      [receiving, true],
      [notReceiving, false],
    ] as const) {
      const one = await startOne(fixture, tenantId)
      const shown = () => getVerificationTimeline(fixture.tenant(tenantId), one)
      await recordProviderResult(fixture.service(), one.result('submitted'))
      expect(await shown()).to.include({ hasWebhook: null, delivery: null })
      await recordProviderResult(fixture.service(), one.result('approved'))
      const { delivery, ...completed } = await shown()
      expect(completed.hasWebhook).to.equal(hasWebhook)
      if (hasWebhook)
        expect(delivery).to.include({ state: 'new', attempts: 0, attemptedAt: null, failure: null })
      else expect(delivery).to.equal(null)
    }
  })

  it('record a contradiction once and revoke the token for 20 equal declines after an approval', async () => {
    const one = await startOne(fixture, receiving)
    await recordProviderResult(fixture.service(), one.result('approved', { over18: true }))
    const decline = one.result('declined', { attemptId: 'first', decidedAt: fixture.clock() })
    const recorded = await Promise.all(
      Array.from({ length: 20 }, () => recordProviderResult(fixture.service(), decline)),
    )
    expect(new Set(recorded)).to.deep.equal(new Set(['contradicted']))
    const noted = await fixture.rows(
      `select from ${storedChanges} c where verification_id = $1 and not applied`,
      [one.verificationId],
    )
    expect(noted).to.have.length(1)
    const { effects } = await effectsOf(fixture, one.verificationId)
    expect(effects).to.include({ deliveries: 1, tokens: 1, status: 'approved', notifiedStatus: 'approved' })
    const [token] = await fixture.rows<{ revoked: boolean }>(
      `select revoked_at is not null as revoked from ${storedTokens} t where verification_id = $1`,
      [one.verificationId],
    )
    expect(token?.revoked).to.equal(true)
  })
})

describe('A result that matches no verification', () => {
  const fixture = useFixture()
  let tenantId: string
  before(async () => {
    tenantId = await fixture.addTenant()
  })

  it('changes nothing, whichever of session and vendor data is wrong', async () => {
    const one = await startOne(fixture, tenantId)
    const other = await startOne(fixture, tenantId)
    const { verificationId, providerSessionId } = one
    const wrong = [
      { vendorData: verificationId, providerSessionId: other.providerSessionId },
      { vendorData: other.verificationId, providerSessionId },
      { vendorData: null, providerSessionId },
      { vendorData: '', providerSessionId },
      { vendorData: "'; drop table verification; --", providerSessionId },
    ]
    for (const ids of wrong) {
      const recorded = await recordProviderResult(fixture.service(), providerResult('approved', ids))
      expect(recorded).to.equal('unmatched')
    }
    for (const { verificationId } of [one, other]) {
      const { status } = await getVerificationStatus(fixture.tenant(tenantId), verificationId)
      expect(status).to.equal('pending')
    }
  })

  it('is compared without regard to the case of ids', async () => {
    const { verificationId, providerSessionId, result } = await startOne(fixture, tenantId)
    const shouted = {
      vendorData: verificationId.toUpperCase(),
      providerSessionId: providerSessionId.toUpperCase(),
    }
    expect(await recordProviderResult(fixture.service(), result('started', shouted))).to.equal('applied')
  })
})

function perform(fixture: Fixture, one: Awaited<ReturnType<typeof startOne>>, act: Act): Promise<unknown>[] {
  if (act.kind === 'submit') {
    const submitted = submitVerification(fixture.tenant(one.tenantId), one.verificationId)
    return [submitted.catch(error => expect(error.code).to.equal('VERIFICATION_ALREADY_COMPLETED'))]
  }
  if (act.kind === 'close') {
    const late = { ...fixture.service(), now: new Date(fixture.clock().getTime() + 9 * dayMs) }
    return [closeVerifications(late)]
  }
  const { outcome, attemptId, minute, copies } = act
  const decidedAt = new Date(fixture.clock().getTime() + minute * 60_000)
  const isEvent = outcome === 'started' || outcome === 'submitted'
  const result = one.result(outcome, { attemptId, ...(!isEvent && { decidedAt, over18: true }) })
  return Array.from({ length: copies }, () => recordProviderResult(fixture.service(), result))
}

async function expectUsageToAddUp(fixture: Fixture, tenantId: string): Promise<void> {
  const counts = `approved, denied, rejected, submitted, resubmission, opened, user_submitted, over18, under18`
  const countsIn = (table: string) =>
    fixture.rows(`select day::text, ${counts} from ${table} counts where tenant_id = $1 order by day`, [
      tenantId,
    ])
  const counted = await countsIn('usage_day')
  expect(counted).to.deep.equal(await countsIn(countedCompletions))
  expect(counted[0]).to.not.include({ opened: 0 })
  const [starts] = await fixture.rows<{ counted: number; stored: number }>(
    `select (select sum(started)::int from usage_day where tenant_id = $1) as counted, count(*)::int as stored
     from verification where tenant_id = $1`,
    [tenantId],
  )
  expect(starts!.counted).to.equal(starts!.stored)
}
