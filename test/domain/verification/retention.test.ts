import { expect } from 'chai'
import { deleteOldVerifications } from '#domain/deletion/delete-old-verifications.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { validateToken } from '#domain/token/validate-token.ts'
import { closeVerifications } from '#domain/verification/close-verifications.ts'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { getVerificationTimeline } from '#domain/verification/get-verification-timeline.ts'
import { listVerifications } from '#domain/verification/list-verifications.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { submitVerification } from '#domain/verification/submit-verification.ts'
import { rejected } from '../administration/rejected.ts'
import { issueToken } from '../token/issue-token.ts'
import { dayMs, useFixture } from './fixture.ts'
import { startOne } from './start-one.ts'

describe('A verification past its retention', () => {
  const fixture = useFixture()
  let tenantId: string
  before(async () => {
    tenantId = await fixture.addTenant()
  })

  it('is not found from the millisecond of its expiry on, whether it is deleted yet or not', async () => {
    const { token, verificationId, one } = await issueToken(fixture, tenantId, true)
    const denied = await startOne(fixture, tenantId)
    await recordProviderResult(fixture.service(), denied.result('declined'))
    fixture.clock.advance(1)
    const younger = await startOne(fixture, tenantId)
    const tenant = () => fixture.tenant(tenantId)
    const idsOf = async (status?: 'approved' | 'denied') =>
      (await listVerifications(tenant(), { status })).items.map(item => item.verificationId)
    fixture.clock.advance(400 * dayMs - 1)
    expect(await validateToken(tenant(), token)).to.include({ reason: 'TOKEN_EXPIRED' })
    expect((await getVerificationStatus(tenant(), verificationId)).token).to.equal(token)
    expect(await idsOf()).to.have.members([younger.verificationId, denied.verificationId, verificationId])
    fixture.clock.advance(1)
    expect(await validateToken(tenant(), token)).to.include({ reason: 'TOKEN_NOT_FOUND' })
    for (const find of [
      () => getVerificationStatus(tenant(), verificationId),
      () => getVerificationTimeline(tenant(), { verificationId }),
      () => submitVerification(tenant(), verificationId),
      () => revokeToken(tenant(), { verificationId }),
    ]) {
      await rejected(find(), 'VERIFICATION_NOT_FOUND')
    }
    expect(await recordProviderResult(fixture.service(), one.result('declined'))).to.equal('unmatched')
    expect(await idsOf()).to.deep.equal([younger.verificationId])
    expect([...(await idsOf('approved')), ...(await idsOf('denied'))]).to.deep.equal([])
    expect((await getVerificationStatus(tenant(), younger.verificationId)).status).to.equal('pending')
  })
})

describe('Verifications that the service keeps no longer', () => {
  const fixture = useFixture('test')

  it('are deleted from their expiry on, with what is still open; their usage stays', async () => {
    const tenantId = await fixture.addTenant()
    await startOne(fixture, tenantId)
    await issueToken(fixture, tenantId, true)
    const denied = await startOne(fixture, tenantId)
    await recordProviderResult(fixture.service(), denied.result('declined'))
    const usage = await fixture.rows('select * from usage_day')
    fixture.clock.advance(400 * dayMs)
    expect(await deleteOldVerifications(fixture.service())).to.equal(0)
    fixture.clock.advance(1)
    const younger = await startOne(fixture, tenantId)
    expect(await deleteOldVerifications(fixture.service())).to.equal(3)
    expect(await fixture.rows('select id from verification')).to.deep.equal([{ id: younger.verificationId }])
    expect(await fixture.rows('select verification_id as id from open_verification')).to.have.length(1)
    expect(await fixture.rows('select from verification_outcome')).to.deep.equal([])
    expect(await closeVerifications(fixture.service())).to.equal(0)
    expect(await fixture.rows('select * from usage_day where day < $1', ['2027-01-01'])).to.deep.equal(usage)
  })

  it('are deleted in batches, by several workers at once', async () => {
    const tenantId = await fixture.addTenant()
    await fixture.rows(
      `insert into verification (id, tenant_id, status, provider_session_id)
       select (lpad(to_hex($2::bigint + n), 12, '0') || '7' || repeat('0', 19))::uuid, $1, 'pending', 's'
       from generate_series(1, 2_000) n`,
      [tenantId, fixture.clock().getTime()],
    )
    fixture.clock.advance(401 * dayMs)
    const other = await fixture.openProcess()
    const deleted = await Promise.all(
      [fixture, other].map(({ service }) => deleteOldVerifications(service())),
    )
    expect(deleted[0]! + deleted[1]! + (await deleteOldVerifications(fixture.service()))).to.equal(2_000)
    expect(await fixture.rows('select from verification limit 1')).to.deep.equal([])
  })
})
