import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { deleteExpiredVerifications } from '#domain/deletion/delete-expired-verifications.ts'
import { deleteOldVerifications } from '#domain/deletion/delete-old-verifications.ts'
import { eraseVerification } from '#domain/deletion/erase-verification.ts'
import { monthlyEvidence } from '#domain/evidence/monthly-evidence.ts'
import type { ProviderOutcome, ProviderResult } from '#domain/provider-result.ts'
import { forTenant } from '#domain/scope.ts'
import { ensureSigningKey } from '#domain/signing-key/ensure-signing-key.ts'
import { publishedKeys } from '#domain/signing-key/published-keys.ts'
import { rotateSigningKey } from '#domain/signing-key/rotate-signing-key.ts'
import { setRetention } from '#domain/tenant/set-retention.ts'
import { markCompromised } from '#domain/token/mark-compromised.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { closeVerifications } from '#domain/verification/close-verifications.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { testCipher } from '../../harness/scope.ts'
import { readToken } from '../token/issue-token.ts'
import { dayMs, useFixture } from '../verification/fixture.ts'
import { startOne } from '../verification/start-one.ts'

describe('A month with every kind of event', () => {
  const fixture = useFixture()
  const folder = mkdtempSync(join(tmpdir(), 'evidence-'))
  after(() => rmSync(folder, { recursive: true }))
  let tenantId: string
  before(async () => {
    tenantId = await fixture.addTenant()
  })

  const operator = () => forTenant(fixture.operator(), tenantId)
  const record = (result: ProviderResult) => recordProviderResult(fixture.service(), result)
  const start = () => startOne(fixture, tenantId)
  const finish = async (outcome: ProviderOutcome, more: Partial<ProviderResult> = {}) => {
    const one = await start()
    await record(one.result(outcome, more))
    return one
  }
  const approve = (ageBasis: ProviderResult['ageBasis'] = 'date', over18: boolean | null = true) =>
    finish('approved', { over18, ageBasis })
  const erase = ({ verificationId }: { verificationId: string }) =>
    eraseVerification(fixture.operator(), { verificationId, skipProvider: true })

  /** What a program of somebody else reads in the file, which has the public keys only: the numbers that are not 0. */
  async function addUp(month: string) {
    const jws = await monthlyEvidence(operator(), { month })
    const keys = await publishedKeys(fixture.service(), false)
    const files = [join(folder, `${month}.jwt`), join(folder, 'jwks.json')]
    writeFileSync(files[0]!, `${jws}\n`)
    writeFileSync(files[1]!, JSON.stringify({ keys }))
    const program = join(import.meta.dirname, 'add-up.mjs')
    const { counts } = JSON.parse(execFileSync(process.execPath, [program, ...files], { encoding: 'utf8' }))
    const found = Object.entries(counts).filter(([, count]) => count !== 0)
    return { counts: Object.fromEntries(found), claims: readToken(jws).claims }
  }

  it('adds up for a program that has only the public keys, whatever happens afterwards', async () => {
    const early = await start()
    await start()
    expect((await addUp('2026-11')).counts).to.deep.equal({ started: 2, openAtEnd: 2 })

    fixture.clock.set(new Date('2026-12-01T12:00:00.000Z'))
    await record(early.result('declined'))
    await closeVerifications(fixture.service())
    // Their lifetime ends in the month, in every status that they can be in.
    await start()
    await finish('submitted')
    await finish('resubmission_requested', { attemptId: 'first' })
    fixture.clock.advance(9 * dayMs)
    await closeVerifications(fixture.service())
    const kept = await approve()
    const byTenant = await approve()
    const byOperator = await approve()
    const byProvider = await approve()
    await approve('year')
    await approve('estimate')
    await approve('date', false)
    await approve('none', null)
    const erased = await approve()
    const scopes = [fixture.tenant(tenantId), operator()]
    for (const scope of scopes) await revokeToken(scope, byTenant)
    await revokeToken(operator(), byOperator)
    const newer = { decidedAt: new Date(fixture.clock().getTime() + 1_000) }
    for (const _ of ['first', 'again']) await record(byProvider.result('declined', newer))
    await record(byOperator.result('declined', newer))
    for (const one of [erased, byTenant, await start()]) await erase(one)
    const kid = await ensureSigningKey(fixture.service().pool, testCipher, fixture.clock())
    const atReport = await approve()
    await rotateSigningKey(fixture.operator(), { compromised: kid })
    // It is erased before its row says that its token is revoked.
    await erase(atReport)
    for (const _ of ['first', 'again']) await markCompromised(fixture.operator(), kid)
    for (const _ of ['one', 'another']) await approve()
    await start()

    fixture.clock.set(new Date('2027-01-02T12:00:00.000Z'))
    const expected = {
      ...{ openBefore: 2, started: 17, opened: 15, userSubmitted: 15, erased: 1, openAtEnd: 1 },
      ...{ approved: 12, denied: 1, rejected: 2, submitted: 1, resubmission: 1 },
      ...{ over18: 10, under18: 1, ageUnknown: 1, adultsByDate: 8, adultsByYear: 1, adultsByEstimate: 1 },
      ...{ revokedByTenant: 1, revokedByOperator: 1, revokedByProvider: 1, revokedByErasure: 1 },
      revokedBySigningKey: 6,
    }
    const december = await addUp('2026-12')
    expect(december.counts).to.deep.equal(expected)
    const { verificationId, providerSessionId } = kept
    expect(JSON.stringify(december.claims)).not.to.include(verificationId).and.not.include(providerSessionId)
    const reportedAt = '2026-12-10T12:00:00.000Z'
    expect(december.claims).to.deep.include({ complete: true, compromisedKeys: [{ kid, reportedAt }] })

    // What is revoked later is in a later file, by its `iat`; retention and erasures of what is over change no file.
    const [last] = await fixture.rows<{ id: string }>(
      `select id from verification where status = 'approved' and token_revoked_at is null`,
    )
    fixture.clock.advance(1_000)
    await revokeToken(operator(), { verificationId: last!.id })
    await erase(kept)
    await closeVerifications(fixture.service())
    const later = { ...expected, revokedByOperator: 2 }
    const again = await addUp('2026-12')
    expect(again.counts).to.deep.equal(later)
    expect(again.claims.iat).to.be.greaterThan(december.claims.iat as number)
    await setRetention(operator(), { days: 1 })
    // Tokens live for 30 days: the deletion of what has none that is valid revokes nothing.
    fixture.clock.advance(31 * dayMs)
    await deleteExpiredVerifications(fixture.service())
    await start()
    fixture.clock.advance(401 * dayMs)
    await deleteOldVerifications(fixture.service())
    expect(await fixture.rows('select id from verification')).to.deep.equal([])
    expect((await addUp('2026-12')).counts).to.deep.equal(later)
    expect((await addUp('2027-01')).counts).to.deep.equal({ openBefore: 1, rejected: 1 })
    expect((await addUp('2027-02')).counts).to.deep.equal({ started: 1, openAtEnd: 1 })
    expect((await addUp('2028-03')).counts).to.deep.equal({ openBefore: 1, erased: 1 })
  })
})
