import { expect } from 'chai'
import { firstIdAt, newId } from '#domain/ids.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { getVerificationTimeline } from '#domain/verification/get-verification-timeline.ts'
import { listVerifications, type VerificationsRequest } from '#domain/verification/list-verifications.ts'
import { Verification } from '#domain/verification/verification.entity.ts'
import { owner, useFixture } from './fixture.ts'
import { storeApproval, storeVerification } from './history.ts'
import { rejected } from './rejected.ts'

const start = Date.parse('2026-11-20T12:00:00.000Z')

describe('a tenant’s verifications', () => {
  const fixture = useFixture()
  let tenantId: string
  const operator = () => fixture.operatorFor(tenantId)
  beforeEach(async () => {
    fixture.time.now = new Date(start)
    tenantId = (await createTenant(fixture.operator(), { name: 'Shop' })).id
  })

  /** Stores one per minute. Returns their ids, newest first. */
  async function storeSome(count: number, status: Parameters<typeof storeVerification>[2] = 'denied') {
    const ids: string[] = []
    for (let index = 0; index < count; index++) {
      fixture.time.now = new Date(start + index * 60_000)
      ids.unshift(await storeVerification(fixture.operator(), tenantId, status))
    }
    return ids
  }
  const list = (input: VerificationsRequest = {}) => listVerifications(operator(), input)

  it('are listed newest first in stable pages while new ones arrive', async () => {
    const ids = await storeSome(7)
    const first = await list({ limit: 3 })
    expect(first.items.map(item => item.verificationId)).to.deep.equal(ids.slice(0, 3))
    fixture.time.now = new Date(start + 60 * 60_000)
    await storeVerification(fixture.operator(), tenantId, 'approved')
    const second = await list({ limit: 3, cursor: first.nextCursor })
    const third = await list({ limit: 3, cursor: second.nextCursor })
    expect([...second.items, ...third.items].map(item => item.verificationId)).to.deep.equal(ids.slice(3))
    expect(third.nextCursor).to.equal(null)
  })

  it('can be filtered by status and by a time range that excludes its end', async () => {
    const ids = await storeSome(5)
    fixture.time.now = new Date(start + 5 * 60_000)
    const started = await storeVerification(fixture.operator(), tenantId, 'started')
    const found = async (input: Parameters<typeof list>[0]) =>
      (await list(input)).items.map(item => item.verificationId)
    expect(await found({ status: 'started' })).to.deep.equal([started])
    expect(await found({ status: 'denied' })).to.deep.equal(ids)
    const from = new Date(start + 60_000)
    const to = new Date(start + 3 * 60_000)
    expect(await found({ from, to })).to.deep.equal(ids.slice(2, 4))
    const cursor = (await list({ limit: 1, from, to })).nextCursor
    expect(await found({ from, to, cursor })).to.deep.equal(ids.slice(3, 4))
    expect(await found({ to, cursor: firstIdAt(new Date(start + 60 * 60_000)) })).to.deep.equal(ids.slice(2))
  })

  it('can be filtered by the time of their completion, which excludes its end and open ones', async () => {
    const approved = await storeSome(3, 'approved')
    const denied = await storeSome(3, 'denied')
    await storeSome(1, 'started')
    const { em } = fixture.operator()
    const laterMs = start + 8 * 24 * 60 * 60_000
    const atNextDay = (index: number) => new Date(laterMs + index * 60_000)
    for (const ids of [approved, denied]) {
      for (const [index, id] of ids.entries()) {
        await em.nativeUpdate(Verification, { id }, { completedAt: atNextDay(index) })
      }
    }
    fixture.time.now = atNextDay(60)
    const completed = { completedFrom: atNextDay(1), completedTo: atNextDay(2) }
    const found = async (input: Parameters<typeof list>[0]) =>
      (await list({ ...completed, ...input })).items.map(item => item.verificationId)
    expect(await found({})).to.have.members([approved[1], denied[1]])
    expect(await found({ status: 'approved' })).to.deep.equal([approved[1]])
    expect(await found({ status: 'denied' })).to.deep.equal([denied[1]])
    expect(await found({ status: 'denied', completedTo: undefined })).to.have.members(denied.slice(1))
    expect(await found({ status: 'started' })).to.deep.equal([])
    expect(await found({ to: new Date(start) })).to.deep.equal([])
  })

  it('cannot be listed with an invalid limit, cursor or status', async () => {
    for (const input of [
      { limit: 0 },
      { limit: 101 },
      { limit: 1.5 },
      { cursor: 'x' },
      { status: 'done' as 'denied' },
    ]) {
      await rejected(list(input), 'INVALID_PARAMETERS')
    }
  })

  it('have a timeline that begins with pending, and a token', async () => {
    const { verificationId, jti, statusIndex, kid, jwt, issuedAt, expiresAt } = await storeApproval(
      fixture.operator(),
      tenantId,
    )
    const found = await getVerificationTimeline(fixture.scope(owner(tenantId)), { verificationId })
    const at = new Date(start)
    const unreported = { code: null, reasonCode: null, attempt: null, applied: true }
    const created = { ...unreported, description: 'The session was created' }
    const approval = { ...unreported, description: 'The provider approved the verification' }
    expect(found.timeline).to.deep.equal([
      { at, status: 'pending', source: 'service', ...created },
      { at, status: 'approved', source: 'provider', ...approval },
    ])
    const { applied: _, ...decision } = approval
    expect(found).to.deep.include({ verificationId, status: 'approved', confidence: 0.9, createdAt: at })
    expect(found).to.deep.include({ over18: true, decision, closesAt: null })
    const claims = {
      iss: 'https://age.example.com',
      sub: verificationId,
      aud: tenantId,
      jti,
      iat: issuedAt.getTime() / 1000,
      exp: expiresAt.getTime() / 1000,
      over18: true,
      status: { status_list: { idx: statusIndex, uri: 'https://age.example.com/tokens/status-lists/1' } },
    }
    const token = { jti, kid, claims, over18: true, issuedAt, expiresAt, revokedAt: null, isSample: false }
    expect(found.token).to.deep.equal({ ...token, jwt })
    const withoutJwt = { ...token, jwt: null }
    for (const scope of [fixture.scope({ ...owner(tenantId), role: 'viewer' }), operator()]) {
      const { token: read } = await getVerificationTimeline(scope, { verificationId })
      expect(read).to.deep.equal(withoutJwt)
    }
  })

  it('have a null token without an approval, and are not found if unknown', async () => {
    const [verificationId] = await storeSome(1)
    const found = await getVerificationTimeline(operator(), {
      verificationId: verificationId!,
    })
    expect(found.token).to.equal(null)
    for (const unknown of [newId(fixture.time.now), 'nonsense', '']) {
      const timeline = getVerificationTimeline(operator(), { verificationId: unknown })
      await rejected(timeline, 'VERIFICATION_NOT_FOUND')
    }
  })
})
