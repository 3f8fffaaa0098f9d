import { expect } from 'chai'
import { newId, timeOfId } from '#domain/ids.ts'
import type { ProviderOutcome, ProviderResult } from '#domain/provider-result.ts'
import { forTenant, type TenantScope } from '#domain/scope.ts'
import { rotateSigningKey } from '#domain/signing-key/rotate-signing-key.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { changeVerification } from '#domain/verification/change-verification.ts'
import { countDenials } from '#domain/verification/count-denials.ts'
import { type ExportedVerification, exportVerifications } from '#domain/verification/export-verifications.ts'
import { getVerificationTimeline } from '#domain/verification/get-verification-timeline.ts'
import { listVerifications, type VerificationsRequest } from '#domain/verification/list-verifications.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { examinedMax, lookedUpMax } from '#domain/verification/select-verifications.ts'
import type { VerificationFilter } from '#domain/verification/verification-filter.ts'
import { issueToken, readToken } from '../token/issue-token.ts'
import { type Fixture, minuteMs, useFixture } from './fixture.ts'
import { startOne } from './start-one.ts'
import { lifetimeOver } from './triggers.ts'

type Step = [ProviderOutcome, Partial<ProviderResult>?]

/** One verification of each kind, newest last. */
const histories: Record<string, Step[]> = {
  adult: [['approved', { over18: true }]],
  minor: [['started'], ['approved', { over18: false, code: 9001, attemptId: 'first' }]],
  ageUnknown: [['approved', { over18: null }]],
  revoked: [
    ['approved', { over18: true }],
    ['declined', { code: 9102, reasonCode: '106' }],
  ],
  revokedMinor: [
    ['approved', { over18: false }],
    ['declined', { code: 9102, reasonCode: '106' }],
  ],
  tampered: [['declined', { code: 9102, reasonCode: '102' }]],
  fraud: [['declined', { code: 9102, reasonCode: '106' }]],
  unexplained: [['declined']],
  tamperedSecondTime: [
    ['resubmission_requested', { code: 9103, reasonCode: '204', attemptId: 'first' }],
    ['declined', { code: 9102, reasonCode: '102', attemptId: 'second' }],
  ],
  contradicted: [
    ['declined', { code: 9102, reasonCode: '106' }],
    ['approved', { code: 9001, reasonCode: '102' }],
  ],
  expired: [['expired', { code: 9104 }]],
  pending: [],
  started: [['started']],
  submitted: [['submitted']],
  resubmission: [['resubmission_requested', { code: 9103, reasonCode: '204' }]],
  submittedForever: [['submitted']],
}

describe('The filters of verifications', () => {
  const fixture = useFixture()
  let tenantId: string
  /** By kind. */
  const ids: Record<string, string> = {}
  before(async () => {
    tenantId = await fixture.addTenant()
    for (const [kind, steps] of Object.entries(histories)) {
      const one = await startOne(fixture, tenantId)
      ids[kind] = one.verificationId
      for (const [outcome, more] of steps) {
        fixture.clock.advance(minuteMs)
        await recordProviderResult(fixture.service(), one.result(outcome, more))
      }
      fixture.clock.advance(minuteMs)
    }
    const key = { tenantId, verificationId: ids.submittedForever! }
    await changeVerification(fixture.service(), key, lifetimeOver)
  })

  const list = (request: VerificationsRequest) => listVerifications(fixture.tenant(tenantId), request)
  const kindOf = (id: string) => Object.keys(ids).find(kind => ids[kind] === id)

  /** The kinds that a filter lists, oldest first, in pages of every size, and that it exports. */
  async function kinds(filter: VerificationFilter): Promise<unknown[]> {
    const all = (await list({ ...filter, limit: 100 })).items.map(item => item.verificationId)
    for (const limit of [1, 2, 5]) {
      const paged: string[] = []
      let cursor: string | null = null
      do {
        const page = await list({ ...filter, limit, cursor })
        expect(page.searchedUntil).to.equal(null)
        paged.push(...page.items.map(item => item.verificationId))
        cursor = page.nextCursor
      } while (cursor)
      expect(paged).to.deep.equal(all)
    }
    const exported = await exportAll(fixture.tenant(tenantId), filter)
    expect(exported.map(item => item.verificationId)).to.deep.equal(all)
    return all.map(kindOf).toReversed()
  }

  const revoked = ['revoked', 'revokedMinor']
  const approved = ['adult', 'minor', 'ageUnknown', ...revoked]
  const denied = ['tampered', 'fraud', 'unexplained', 'tamperedSecondTime', 'contradicted']
  const unapproved = [...denied, 'expired', 'submittedForever']
  const open = ['pending', 'started', 'submitted', 'resubmission']
  for (const [filter, expected] of [
    [{}, [...approved, ...denied, 'expired', ...open, 'submittedForever']],
    [{ state: 'open' }, open],
    [{ state: 'completed' }, [...approved, ...unapproved]],
    [{ status: ['denied', 'rejected'] }, [...denied, 'expired']],
    [{ status: ['approved', 'pending'] }, [...approved, 'pending']],
    [{ status: 'submitted' }, ['submitted', 'submittedForever']],
    [{ status: ['submitted', 'resubmission'], state: 'completed' }, ['submittedForever']],
    [{ status: ['submitted', 'denied'], state: 'open' }, ['submitted']],
    [{ status: ['approved', 'submitted'], state: 'completed' }, [...approved, 'submittedForever']],
    [{ state: 'attention' }, ['minor', 'ageUnknown', ...revoked, ...denied, 'resubmission']],
    [{ state: 'attention', status: 'approved' }, ['minor', 'ageUnknown', ...revoked]],
    [{ state: 'attention', status: ['denied', 'rejected'] }, denied],
    [{ state: 'attention', over18: 'no' }, ['minor']],
    [{ over18: 'yes' }, ['adult']],
    [{ over18: 'no' }, ['minor']],
    [{ over18: 'unknown' }, ['ageUnknown', ...unapproved]],
    [{ over18: 'unknown', status: 'approved' }, ['ageUnknown']],
    [{ over18: 'unknown', status: 'denied' }, denied],
    [{ over18: 'revoked' }, revoked],
    [{ over18: 'revoked', status: 'approved' }, revoked],
    [{ over18: 'revoked', status: 'denied' }, []],
    [{ over18: 'revoked', state: 'open' }, []],
    [{ reasonCode: '102' }, ['tampered', 'tamperedSecondTime']],
    [{ reasonCode: '106' }, ['fraud', 'contradicted']],
    [{ reasonCode: '106', over18: 'unknown', status: ['denied', 'approved'] }, ['fraud', 'contradicted']],
    [{ reasonCode: '204' }, []],
    [{ status: 'pending', state: 'completed' }, []],
    [{ status: 'denied', state: 'open' }, []],
    [{ status: 'denied', over18: 'yes' }, []],
    [{ state: 'open', over18: 'unknown' }, []],
    [{ state: 'open', reasonCode: '102' }, []],
    [{ status: [] }, []],
  ] as [VerificationFilter, string[]][]) {
    it(`list exactly what they name: ${JSON.stringify(filter)}`, async () => {
      expect(await kinds(filter)).to.deep.equal(expected)
    })
  }

  it('are combined with a time and a search', async () => {
    const from = timeOfId(ids.fraud!)
    const to = timeOfId(ids.contradicted!)
    const request = { status: ['denied', 'approved'], from, to } as const
    expect(await kinds(request)).to.deep.equal(['fraud', 'unexplained', 'tamperedSecondTime'])
    expect(await kinds({ reasonCode: '102', from, to })).to.deep.equal(['tamperedSecondTime'])
    expect(await kinds({ reasonCode: '102', search: ids.tampered! })).to.deep.equal(['tampered'])
    expect(await kinds({ over18: 'no', search: ids.adult! })).to.deep.equal([])
  })

  it('find an id by any part of it, its last digits first of all', async () => {
    for (const kind of ['adult', 'fraud', 'expired', 'submitted']) {
      const id = ids[kind]!
      for (const part of [
        id.slice(-8),
        id.slice(-20).toUpperCase(),
        id.replaceAll('-', ''),
        id.slice(0, 23),
      ]) {
        expect(await kinds({ search: part }), part).to.deep.equal([kind])
      }
    }
    const submitted = ids.submitted!.slice(-12)
    expect(await kinds({ search: submitted, state: 'open' })).to.deep.equal(['submitted'])
    expect(await kinds({ search: submitted, status: 'denied' })).to.deep.equal([])
    expect(await kinds({ search: ids.fraud!.slice(-12), reasonCode: '106' })).to.deep.equal(['fraud'])
    expect(await kinds({ search: ids.fraud!.slice(-12), to: timeOfId(ids.fraud!) })).to.deep.equal([])
  })

  it('list when a token was revoked, by whatever cause and the first of them', async () => {
    const other = await fixture.addTenant()
    const scope = fixture.tenant(other)
    const key = await issueToken(fixture, other, true)
    fixture.clock.advance(minuteMs)
    const revokedAt = fixture.clock()
    await rotateSigningKey(fixture.operator(), { compromised: readToken(key.token).header.kid })
    fixture.clock.advance(minuteMs)
    await revokeToken(forTenant(fixture.operator(), other), { verificationId: key.verificationId })
    const valid = await issueToken(fixture, other, true)
    const times = async (over18?: 'yes' | 'revoked') =>
      (await listVerifications(scope, over18 && { over18 })).items.map(item => [
        item.verificationId,
        item.tokenRevokedAt,
      ])
    expect(await times('revoked')).to.deep.equal([[key.verificationId, revokedAt]])
    expect(await times('yes')).to.deep.equal([[valid.verificationId, null]])
    expect(await times()).to.deep.equal([...(await times('yes')), ...(await times('revoked'))])
    const [, exported] = await exportAll(scope)
    expect(exported).to.deep.include({ over18: null, tokenRevokedAt: revokedAt })
    const shown = await getVerificationTimeline(scope, { verificationId: key.verificationId })
    expect(shown).to.deep.include({ over18: null, tokenRevokedAt: revokedAt })
    expect(shown.token?.revokedAt).to.deep.equal(revokedAt)
  })

  it('select the denials that are counted by their reasons, on the UTC day of the decision', async () => {
    const today = fixture.clock().toISOString().slice(0, 10)
    const scope = fixture.tenant(tenantId)
    const { reasons, days, denied, sampledOneIn } = await countDenials(scope, { to: today })
    const tampered = { reasonCode: '102', reason: 'Document tampered with', count: 2 }
    const fraud = { reasonCode: '106', reason: 'Linked to fraud', count: 2 }
    const unexplained = { reasonCode: null, reason: 'No reason given', count: 1 }
    expect(reasons).to.have.deep.members([tampered, fraud, unexplained])
    expect(reasons.at(-1)).to.deep.equal(unexplained)
    expect(days).to.have.length(20)
    expect(days.at(-1)).to.deep.equal({ day: today, counts: [2, 2, 1, 0, 0, 0] })
    expect(days.slice(0, -1).every(({ counts }) => counts.every(count => count === 0))).to.equal(true)
    expect({ denied, sampledOneIn }).to.deep.equal({ denied: 5, sampledOneIn: 1 })
  })

  it('never list those of another tenant', async () => {
    const other = fixture.tenant(await fixture.addTenant())
    expect((await countDenials(other)).reasons).to.deep.equal([])
    for (const filter of [{ over18: 'no' }, { reasonCode: '102' }, { state: 'open' }] as const) {
      expect((await listVerifications(other, filter)).items).to.deep.equal([])
    }
  })

  it('export the decision with its code, reason and attempt, as a verification shows it', async () => {
    const exported = await exportAll(fixture.tenant(tenantId))
    const decisions = Object.fromEntries(
      exported.map(({ verificationId, decision }) => [kindOf(verificationId), decision]),
    )
    const tampered = { code: 9102, reasonCode: '102', description: 'The document looks tampered with' }
    expect(decisions.tamperedSecondTime).to.deep.equal({ ...tampered, attempt: 2 })
    expect(decisions.contradicted).to.include({ reasonCode: '106' })
    expect(decisions.minor).to.deep.equal({
      code: 9001,
      reasonCode: null,
      attempt: 1,
      description: 'The provider approved the verification',
    })
    expect(decisions.submittedForever?.description).to.equal('The session expired without a decision')
    for (const kind of open) expect(decisions[kind], kind).to.equal(null)
    for (const [kind, verificationId] of Object.entries(ids)) {
      const shown = await getVerificationTimeline(fixture.tenant(tenantId), { verificationId })
      expect(shown.decision, kind).to.deep.equal(decisions[kind])
      expect(shown.closesAt === null, kind).to.equal(shown.completedAt !== null)
    }
  })

  describe('with more verifications than one call examines', () => {
    let scope: ReturnType<Fixture['tenant']>
    const rare: string[] = []
    before(async () => {
      const large = await fixture.addTenant()
      scope = fixture.tenant(large)
      const end = fixture.clock().getTime()
      const added = Array.from({ length: examinedMax + 10 }, (_, n) => newId(new Date(end - n * 10)))
      rare.push(added[5]!, added[lookedUpMax + 3]!, added.at(-1)!)
      await fixture.rows(
        `with added as (
           insert into verification (id, tenant_id, status, over18, completed_at, provider_session_id, timeline)
           select id, $1, 'denied', null, $2, id::text, array[row($2, 'denied', 'provider', 9102, 1, true,
             case when id = any ($4) then '112' else '102' end, null)::verification_change] from unnest($3::uuid[]) id
           returning id
         )
         insert into verification_outcome (tenant_id, status, verification_id) select $1, 'denied', id from added`,
        [large, fixture.clock(), added, rare],
      )
    })

    const rareFilter = { reasonCode: '112', limit: 2 }

    it('end a page early, say how far they have searched, and go on from there', async () => {
      const first = await listVerifications(scope, rareFilter)
      expect(first.items.map(item => item.verificationId)).to.deep.equal(rare.slice(0, 1))
      expect(first.searchedUntil).to.deep.equal(timeOfId(first.nextCursor!))
      expect(first.searchedUntil).to.be.lessThan(timeOfId(rare[0]!)).and.greaterThan(timeOfId(rare[1]!))
      const pages = [first]
      for (let cursor = first.nextCursor; cursor; cursor = pages.at(-1)!.nextCursor) {
        pages.push(await listVerifications(scope, { ...rareFilter, cursor }))
      }
      expect(pages).to.have.length(Math.ceil((examinedMax + 10) / lookedUpMax))
      expect(pages.flatMap(page => page.items.map(item => item.verificationId))).to.deep.equal(rare)
      expect(pages.at(-1)).to.include({ nextCursor: null, searchedUntil: null })
    })

    it('count a sample of very many denials for all of them', async () => {
      expect((await countDenials(scope)).days.at(-1)!.counts).to.deep.equal([examinedMax + 7, 3, 0, 0, 0, 0])
      const day = fixture.clock().toISOString().slice(0, 10)
      await fixture.rows('insert into usage_day (tenant_id, day, denied) values ($1, $2, $3)', [
        scope.actor.tenantId,
        day,
        examinedMax + 10,
      ])
      const { days, sampledOneIn } = await countDenials(scope)
      expect(sampledOneIn).to.equal(2)
      const counted = days.at(-1)!.counts.reduce((sum, count) => sum + count, 0)
      expect(counted).to.be.within(examinedMax * 0.9, examinedMax * 1.1)
    })
  })
})

async function exportAll(scope: TenantScope, filter?: VerificationFilter): Promise<ExportedVerification[]> {
  const exported: ExportedVerification[] = []
  for await (const item of exportVerifications(scope, filter)) exported.push(item)
  return exported
}
