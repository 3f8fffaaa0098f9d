import { expect } from 'chai'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { listAuditEvents } from '#domain/audit/list-audit-events.ts'
import { deleteQueuedSession } from '#domain/deletion/delete-queued-session.ts'
import { eraseVerification } from '#domain/deletion/erase-verification.ts'
import { type ErasureReceipt, erasureReceipt } from '#domain/deletion/erasure-receipt.ts'
import { inspectSessionDeletions } from '#domain/deletion/inspect-session-deletions.ts'
import { DeletionRejected } from '#domain/ports.ts'
import { forTenant } from '#domain/scope.ts'
import { publishedKeys } from '#domain/signing-key/published-keys.ts'
import { validateToken } from '#domain/token/validate-token.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { rejected } from './administration/rejected.ts'
import { issueToken } from './token/issue-token.ts'
import { dayMs, hourMs, minuteMs, useFixture } from './verification/fixture.ts'
import { unavailable } from './verification/scripted-provider.ts'
import { startOne } from './verification/start-one.ts'

describe('Sessions of erased verifications', () => {
  const fixture = useFixture('test')
  let tenantId: string
  beforeEach(async () => {
    tenantId = await fixture.addTenant()
  })

  const erase = (verificationId: string, skipProvider = false) =>
    eraseVerification(fixture.operator(), { verificationId, skipProvider })
  const receiptOf = (verificationId: string) => erasureReceipt(fixture.operator(), { verificationId })
  const eraseNew = async (id = tenantId) => {
    fixture.clock.advance(1)
    const one = await startOne(fixture, id)
    await erase(one.verificationId)
    return one
  }
  const work = async () => {
    let asked = 0
    while (await deleteQueuedSession(fixture.service())) asked++
    return asked
  }
  const waiting = async () =>
    (await inspectSessionDeletions(fixture.operator().pool, { now: fixture.clock() })).waiting
  const refusing = (rejection: DeletionRejected['rejection']) => {
    fixture.provider.before = () => Promise.reject(new DeletionRejected(rejection))
  }
  const answering = () => {
    fixture.provider.before = async () => {}
  }

  it('are queued when the verification is gone, and what the provider then reports changes nothing', async () => {
    const one = await startOne(fixture, tenantId)
    const abandoned = () => recordProviderResult(fixture.service(), one.result('abandoned'))
    expect((await erase(one.verificationId)).session).to.include({ state: 'queued', place: 1 })
    expect(fixture.provider.deleted).to.deep.equal([])
    fixture.provider.before = async () => void (await abandoned())
    expect(await work()).to.equal(1)
    expect(await abandoned()).to.equal('unmatched')
    expect(fixture.provider.deleted).to.deep.equal([one.providerSessionId])
    expect(await fixture.rows('select from delivery')).to.deep.equal([])
    const counts = await fixture.rows('select started, erased, rejected, opened from usage_day')
    expect(counts).to.deep.equal([{ started: 1, erased: 1, rejected: 0, opened: 0 }])
  })

  it('of one tenant leave as many of the ten a day to the others as it takes, who are first', async () => {
    const other = await fixture.addTenant()
    for (let count = 0; count < 14; count++) await eraseNew()
    expect(await work()).to.equal(5)
    const late = await eraseNew(other)
    expect((await receiptOf(late.verificationId)).session.place).to.equal(1)
    expect(await work()).to.equal(1)
    expect(fixture.provider.deleted.at(-1)).to.equal(late.providerSessionId)
    expect(await waiting()).to.equal(9)
    for (let count = 0; count < 3; count++) await eraseNew(other)
    const third = await eraseNew(await fixture.addTenant())
    expect((await receiptOf(third.verificationId)).session.place).to.equal(1)
    expect(await work()).to.equal(2)
    expect(fixture.provider.deleted.slice(6)).to.include(third.providerSessionId)
  })

  it('of the only tenant are ten a day', async () => {
    for (let count = 0; count < 14; count++) await eraseNew()
    expect(await work()).to.equal(10)
    fixture.clock.advance(dayMs - 1)
    expect(await work()).to.equal(0)
    fixture.clock.advance(1)
    expect(await work()).to.equal(4)
    expect(fixture.provider.deleted).to.have.length(14)
    fixture.clock.advance(dayMs)
    await work()
    expect(await fixture.rows('select from session_deletion')).to.deep.equal([])
  })

  it('wait as long as the provider asks, for all, and as long as one is in progress, for that one', async () => {
    const examined = await eraseNew()
    const { verificationId } = await eraseNew()
    refusing('rate_limited')
    expect(await work()).to.equal(1)
    answering()
    fixture.clock.advance(hourMs - 1)
    expect(await work()).to.equal(0)
    fixture.clock.advance(1)
    fixture.provider.before = async () => {
      answering()
      throw new DeletionRejected('in_progress')
    }
    expect(await work()).to.equal(2)
    expect((await receiptOf(verificationId)).session.state).to.equal('deleted')
    expect((await receiptOf(examined.verificationId)).session).to.include({ state: 'queued', place: 1 })
    fixture.provider.before = unavailable
    fixture.clock.advance(hourMs)
    expect(await work()).to.equal(1)
    answering()
    fixture.clock.advance(hourMs)
    expect(await work()).to.equal(1)
  })

  it('stay in the queue while the integration may not delete, which the receipts say', async () => {
    const one = await eraseNew()
    const { verificationId } = await eraseNew()
    refusing('not_enabled')
    await work()
    const since = fixture.clock()
    fixture.clock.advance(30 * dayMs)
    await work()
    const { session } = await receiptOf(verificationId)
    expect(session).to.deep.equal({
      state: 'not_enabled',
      at: new Date(since.getTime() + 30 * dayMs),
      place: 2,
    })
    answering()
    fixture.clock.advance(hourMs)
    await work()
    expect((await receiptOf(one.verificationId)).session.state).to.equal('deleted')
  })

  it('are asked for again when an answer was lost, and then unknown ones were deleted', async () => {
    const { verificationId } = await eraseNew()
    fixture.provider.before = () => Promise.reject(new Error('killed'))
    await deleteQueuedSession(fixture.service()).catch(() => undefined)
    fixture.provider.before = async () => void fixture.provider.deleted.push(...(await queuedSessions()))
    expect(await work()).to.equal(0)
    fixture.clock.advance(minuteMs)
    expect(await work()).to.equal(1)
    expect((await receiptOf(verificationId)).session.state).to.equal('deleted')
    const gone = await startOne(fixture, tenantId)
    await erase(gone.verificationId)
    expect(await work()).to.equal(1)
    expect((await receiptOf(gone.verificationId)).session.state).to.equal('unknown')
  })

  const queuedSessions = async () => {
    const rows = await fixture.rows<{ id: string | null }>(
      'select provider_session_id as id from session_deletion where provider_session_id is not null',
    )
    return rows.map(({ id }) => id!)
  }

  it('of test tenants are deleted at once, and those that are skipped are not asked for', async () => {
    const testTenant = await fixture.addTenant({ test: true })
    const { verificationId } = await startOne(fixture, testTenant)
    await fixture.rows(
      `insert into simulated_session (id, verification_id, token_hash, created_at, content)
       values ($1, $1, '', now(), '{}')`,
      [verificationId],
    )
    expect((await erase(verificationId)).session).to.include({ state: 'deleted', place: null })
    expect(await fixture.rows('select from simulated_session')).to.deep.equal([])
    const skipped = await startOne(fixture, tenantId)
    expect((await erase(skipped.verificationId, true)).session.state).to.equal('not_asked')
    expect(await fixture.rows('select from session_deletion')).to.deep.equal([])
  })

  it('are named by a receipt that is signed, made again, and complete once the provider has answered', async () => {
    const { verificationId, token } = await issueToken(fixture, tenantId, true)
    const first = await erase(verificationId)
    const erasedAt = fixture.clock()
    const claims = await verify(first)
    const deleted = { verifications: 1, tokens: 1, deliveries: 1, idempotencyKeys: 0 }
    const by = { verificationId, erasedAt: erasedAt.toISOString(), erasedBy: 'operator', deleted }
    const at = erasedAt.toISOString()
    expect(claims).to.deep.equal({ ...by, session: { state: 'queued', at, place: 1 } })
    expect(await erase(verificationId)).to.deep.include({ verificationId, erasedAt })
    fixture.clock.advance(hourMs)
    await work()
    const answeredAt = fixture.clock().toISOString()
    fixture.clock.advance(300 * dayMs)
    const session = { state: 'deleted', at: answeredAt, place: null }
    expect(await verify(await receiptOf(verificationId))).to.deep.equal({ ...by, session })
    const { items } = await listAuditEvents(forTenant(fixture.operator(), tenantId))
    const events = items.filter(({ target }) => target === verificationId)
    expect(events.map(({ action, actorKind }) => [action, actorKind])).to.deep.equal([
      ['verification.delete_session', 'service'],
      ['verification.erase', 'operator'],
    ])
    expect(await validateToken(fixture.tenant(tenantId), first.receipt)).to.include({ valid: false })
    expect(await validateToken(fixture.tenant(tenantId), token)).to.include({ reason: 'TOKEN_NOT_FOUND' })
  })

  it('have no receipt without an erasure, and after the time of the audit log', async () => {
    const { verificationId } = await eraseNew()
    for (const id of ['none', (await startOne(fixture, tenantId)).verificationId])
      await rejected(receiptOf(id), 'VERIFICATION_NOT_FOUND')
    fixture.clock.advance(731 * dayMs)
    await rejected(receiptOf(verificationId), 'VERIFICATION_NOT_FOUND')
  })

  /** By public keys only, at the time of the receipt. Returns what it says beside when and by which service it was signed. */
  async function verify({ receipt }: ErasureReceipt): Promise<object> {
    const keys = createLocalJWKSet({ keys: await publishedKeys(fixture.service(), false) })
    const expected = { typ: 'erasure-receipt+jwt', issuer: 'https://age.example.com', audience: tenantId }
    const { payload } = await jwtVerify(receipt, keys, { ...expected, currentDate: fixture.clock() })
    const { iss, aud, iat, ...claims } = payload
    expect(iat).to.equal(Math.floor(fixture.clock().getTime() / 1000))
    return claims
  }
})
