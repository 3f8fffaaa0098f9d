import { expect } from 'chai'
import { firstIdAt, newId } from '#domain/ids.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { getVerificationTimeline } from '#domain/verification/get-verification-timeline.ts'
import { listVerifications } from '#domain/verification/list-verifications.ts'
import { type Administration, openAdministration } from './administration.ts'
import { storeApproval, storeVerification } from './history.ts'
import { refused } from './rejected.ts'

const start = Date.parse('2026-11-20T12:00:00.000Z')

describe('a tenant’s verifications', () => {
  let here: Administration
  let tenantId: string
  before(async () => {
    here = await openAdministration()
  })
  after(() => here.close())
  beforeEach(async () => {
    here.time.now = new Date(start)
    tenantId = (await createTenant(here.operator(), { name: 'Shop' })).id
  })

  /** Stores one a minute, and answers their ids from the newest to the oldest. */
  async function storeSome(count: number, status: Parameters<typeof storeVerification>[2] = 'denied') {
    const ids: string[] = []
    for (let index = 0; index < count; index++) {
      here.time.now = new Date(start + index * 60_000)
      ids.unshift(await storeVerification(here.operator(), tenantId, status))
    }
    return ids
  }
  const list = (input: Partial<Parameters<typeof listVerifications>[1]> = {}) =>
    listVerifications(here.operator(), { tenantId, ...input })

  it('are listed newest first, page by page, while new ones arrive', async () => {
    const ids = await storeSome(7)
    const first = await list({ limit: 3 })
    expect(first.items.map(item => item.verificationId)).to.deep.equal(ids.slice(0, 3))
    here.time.now = new Date(start + 60 * 60_000)
    await storeVerification(here.operator(), tenantId, 'approved')
    const second = await list({ limit: 3, cursor: first.nextCursor })
    const third = await list({ limit: 3, cursor: second.nextCursor })
    expect([...second.items, ...third.items].map(item => item.verificationId)).to.deep.equal(ids.slice(3))
    expect(third.nextCursor).to.equal(null)
  })

  it('end without a cursor when the last page is full', async () => {
    await storeSome(4)
    const { items, nextCursor } = await list({ limit: 4 })
    expect(items).to.have.length(4)
    expect(nextCursor).to.equal(null)
  })

  it('can be narrowed to a status and to a time, from its first to before its last moment', async () => {
    const ids = await storeSome(5)
    here.time.now = new Date(start + 5 * 60_000)
    const started = await storeVerification(here.operator(), tenantId, 'started')
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

  it('tell no confidence before they are completed', async () => {
    await storeSome(1, 'submitted')
    await storeSome(1, 'approved')
    const { items } = await list()
    expect(
      items.map(({ status, confidence, completedAt }) => [status, confidence, completedAt !== null]),
    ).to.have.deep.members([
      ['submitted', null, false],
      ['approved', 0.9, true],
    ])
  })

  it('are never another tenant’s', async () => {
    const [verificationId] = await storeSome(1)
    const other = await createTenant(here.operator(), { name: 'Other' })
    expect(await list({ tenantId: other.id })).to.deep.equal({ items: [], nextCursor: null })
    const asked = { tenantId: other.id, verificationId: verificationId! }
    await refused(getVerificationTimeline(here.operator(), asked), 'VERIFICATION_NOT_FOUND')
  })

  it('refuse a page, cursor or status that there is not', async () => {
    for (const input of [
      { limit: 0 },
      { limit: 101 },
      { limit: 1.5 },
      { cursor: 'x' },
      { status: 'done' as 'denied' },
    ]) {
      await refused(list(input), 'INVALID_PARAMETERS')
    }
  })

  it('have a timeline that begins with pending, and their token', async () => {
    const { verificationId, jti, jwt, issuedAt, expiresAt } = await storeApproval(here.operator(), tenantId)
    const found = await getVerificationTimeline(here.operator(), { tenantId, verificationId })
    const at = new Date(start)
    expect(found).to.deep.include({ verificationId, status: 'approved', confidence: 0.9, createdAt: at })
    expect(found.timeline).to.deep.equal([
      { at, status: 'pending', source: 'service', applied: true },
      { at, status: 'approved', source: 'provider', applied: true },
    ])
    expect(found.token).to.deep.equal({ jti, jwt, over18: true, issuedAt, expiresAt, revokedAt: null })
  })

  it('without a token say so, and unknown ones are not found', async () => {
    const [verificationId] = await storeSome(1)
    const found = await getVerificationTimeline(here.operator(), {
      tenantId,
      verificationId: verificationId!,
    })
    expect(found.token).to.equal(null)
    for (const unknown of [newId(here.time.now), 'nonsense', '']) {
      const asked = { tenantId, verificationId: unknown }
      await refused(getVerificationTimeline(here.operator(), asked), 'VERIFICATION_NOT_FOUND')
    }
  })
})
