import { expect } from 'chai'
import pg from 'pg'
import { deleteExpiredVerifications } from '#domain/deletion/delete-expired-verifications.ts'
import { deleteOldVerifications } from '#domain/deletion/delete-old-verifications.ts'
import { eraseVerification } from '#domain/deletion/erase-verification.ts'
import { DomainError } from '#domain/errors.ts'
import { forTenant } from '#domain/scope.ts'
import { rotateSigningKey } from '#domain/signing-key/rotate-signing-key.ts'
import { setRetention } from '#domain/tenant/set-retention.ts'
import { markCompromised } from '#domain/token/mark-compromised.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { toCursor } from '#domain/verification/change-cursor.ts'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { type Changes, listChanges } from '#domain/verification/list-changes.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { eventually } from '../../harness/eventually.ts'
import { type Issued, issueToken, readToken } from '../token/issue-token.ts'
import { dayMs, hourMs, type Process, useFixture } from './fixture.ts'
import { type OneVerification, startOne } from './start-one.ts'

describe('The changes of a tenant', () => {
  const fixture = useFixture('test')
  let tenantId: string
  beforeEach(async () => {
    tenantId = await fixture.addTenant()
  })

  it('are its completions in their order, and a revocation moves a verification to the end', async () => {
    const approved = await issueToken(fixture, tenantId, true)
    const denied = await startOne(fixture, tenantId)
    await startOne(fixture, tenantId)
    await issueToken(fixture, await fixture.addTenant(), true)
    await complete(denied)
    const first = await untilListed(2)
    expect(first.items.map(item => item.verificationId)).to.deep.equal([
      approved.verificationId,
      denied.verificationId,
    ])
    expect(first.items[0]).to.deep.include({ status: 'approved', over18: true, tokenRevokedAt: null })
    fixture.clock.advance(1_000)
    const revokedAt = fixture.clock()
    const { verificationId } = approved
    for (const _ of ['first', 'again']) {
      await revokeToken(forTenant(fixture.operator(), tenantId), { verificationId })
    }
    const then = await untilListed(1, first.next)
    expect(ids(then)).to.deep.equal([verificationId])
    expect(then.items[0]).to.deep.include({
      status: 'approved',
      over18: null,
      updatedAt: revokedAt,
      tokenRevokedAt: revokedAt,
    })
    expect(await list(then.next)).to.deep.include({ items: [], next: then.next })
    expect(ids(await list())).to.deep.equal([denied.verificationId, verificationId])
  })

  it('list a late decline that revokes a token, and not one that changes nothing', async () => {
    const { one, verificationId } = await issueToken(fixture, tenantId, true)
    const { next } = await untilListed(1)
    await recordProviderResult(fixture.service(), one.result('submitted', { attemptId: 'late' }))
    expect(ids(await list(next))).to.deep.equal([])
    await recordProviderResult(fixture.service(), one.result('declined', { attemptId: 'late' }))
    expect(ids(await untilListed(1, next))).to.deep.equal([verificationId])
  })

  it('list every verification whose token’s signing key was compromised, once', async () => {
    const { verificationId, token } = await issueToken(fixture, tenantId, true)
    const denied = await startOne(fixture, tenantId)
    await complete(denied)
    const { next } = await untilListed(2)
    const { kid } = readToken(token).header
    const before = await getVerificationStatus(fixture.tenant(tenantId), verificationId)
    expect(before.tokenRevokedAt).to.equal(null)
    await rotateSigningKey(fixture.operator(), { compromised: kid })
    const status = await getVerificationStatus(fixture.tenant(tenantId), verificationId)
    for (const _ of ['first', 'again']) await markCompromised(fixture.operator(), kid)
    const { items } = await untilListed(1, next)
    expect(items[0]).to.deep.equal({ ...status, updatedAt: status.tokenRevokedAt })
    const after = await issueToken(fixture, tenantId, true)
    await markCompromised(fixture.operator(), kid)
    expect(ids(await untilListed(2, next))).to.deep.equal([verificationId, after.verificationId])
  })

  it('are not held back by a transaction that is open, in this tenant or elsewhere', async () => {
    const one = await startOne(fixture, tenantId)
    await during(fixture.url, 'select pg_current_xact_id()', async () => {
      await complete(one)
      expect(ids(await list())).to.deep.equal([one.verificationId])
    })
  })

  it('are written one after the other, so that none is committed before another one with a lower number', async () => {
    const one = await startOne(fixture, tenantId)
    const takes = `update change_number set last = last + 1 where tenant_id = '${tenantId}'`
    await issueToken(fixture, tenantId, true)
    const { next } = await list()
    let completed: Promise<void> | undefined
    await during(fixture.url, takes, async () => {
      completed = complete(one)
      expect(await list(next)).to.deep.equal({ items: [], next })
    })
    await completed
    expect(ids(await list(next))).to.deep.equal([one.verificationId])
  })

  it('are written beside each other without a deadlock: completions, revocations and late declines of the same ones', async function () {
    this.timeout(60_000)
    const processes = await Promise.all([1, 2, 3].map(() => fixture.openProcess()))
    const others = [tenantId, await fixture.addTenant()]
    const approved: ({ of: string } & Issued)[] = []
    const open: OneVerification[] = []
    for (const of of others) {
      for (let n = 0; n < 40; n++) {
        approved.push({ of, ...(await issueToken(fixture, of, true)) })
        open.push(await startOne(fixture, of))
      }
    }
    const work = processes.flatMap(process => [
      ...open.map(one => () => complete(one, process)),
      ...approved.map(({ of, verificationId }) => async () => {
        await revokeToken(forTenant({ ...process.service(), actor: { kind: 'operator' } }, of), {
          verificationId,
        })
      }),
      ...approved.map(({ one }) => async () => {
        await recordProviderResult(process.service(), one.result('declined', { attemptId: 'late' }))
      }),
    ])
    await Promise.all(work.toSorted(() => Math.random() - 0.5).map(run => run()))
    const [stored] = await fixture.rows(
      `select count(distinct change)::int as changes, count(token_revoked_at)::int as revoked from verification
       where tenant_id = $1`,
      [tenantId],
    )
    expect(stored).to.deep.equal({ changes: 80, revoked: 40 })
  })

  describe('that retention has deleted before they were read', () => {
    const keep = (days: number) => setRetention(forTenant(fixture.operator(), tenantId), { days })
    const numberOf = (cursor: string) => Number(cursor.split('-')[0])

    it('are said to be missing, once, to whoever has a cursor before them', async () => {
      for (let n = 0; n < 110; n++) await complete(await startOne(fixture, tenantId))
      const read = await untilListed(100)
      const { next: last } = await untilListed(10, read.next)
      await keep(1)
      fixture.clock.advance(25 * hourMs)
      await deleteExpiredVerifications(fixture.service())
      const missedBefore = new Date(numberOf(last))
      expect(await list(read.next)).to.deep.equal({ items: [], next: last, missedBefore })
      const waited = await list(read.next, { waitMs: 60_000 })
      expect(waited).to.deep.equal({ items: [], next: last, missedBefore })
      expect(await list(last)).to.deep.equal({ items: [], next: last })
      expect(await list()).to.deep.equal({ items: [], next: last })
      const kept = await issueToken(fixture, tenantId, true)
      const then = await list(read.next)
      expect(ids(then)).to.deep.equal([kept.verificationId])
      expect(then.missedBefore).to.deep.equal(missedBefore)
      expect(await list(last)).not.to.have.property('missedBefore')
    })

    it('hide none that is kept: a revocation may have got its number after these', async () => {
      const revoked = await issueToken(fixture, tenantId, true)
      const { next } = await untilListed(1)
      fixture.clock.advance(12 * hourMs)
      const kept = [await issueToken(fixture, tenantId, true), await issueToken(fixture, tenantId, true)]
      const { verificationId } = revoked
      await revokeToken(forTenant(fixture.operator(), tenantId), { verificationId })
      await keep(1)
      fixture.clock.advance(13 * hourMs)
      await deleteExpiredVerifications(fixture.service())
      const first = await list(next, { limit: 1 })
      expect(first).not.to.have.property('missedBefore')
      const second = await list(first.next, { limit: 1 })
      expect([...ids(first), ...ids(second)]).to.deep.equal(kept.map(one => one.verificationId))
      const third = await list(second.next, { limit: 1 })
      expect(third.missedBefore).to.deep.equal(new Date(numberOf(third.next)))
      expect(await list(third.next)).to.deep.equal({ items: [], next: third.next })
    })

    it('are said to be missing when the service keeps them no longer, before and after it has deleted them', async () => {
      const { next } = await list()
      await issueToken(fixture, tenantId, true)
      const missed = await untilListed(1, next)
      fixture.clock.advance(440 * dayMs)
      expect(ids(await list())).to.deep.equal([])
      const { verificationId } = await issueToken(fixture, tenantId, true)
      const before = await list(next)
      await deleteOldVerifications(fixture.service())
      expect(await list(next)).to.deep.equal(before)
      expect(ids(before)).to.deep.equal([verificationId])
      expect(before.missedBefore).to.deep.equal(new Date(numberOf(missed.next)))
    })

    it('are not missing where they were read, or erased', async () => {
      await issueToken(fixture, tenantId, true)
      const { next } = await list()
      const { verificationId } = await issueToken(fixture, tenantId, true)
      await eraseVerification(fixture.operator(), { verificationId, skipProvider: true })
      await keep(1)
      fixture.clock.advance(25 * hourMs)
      await deleteExpiredVerifications(fixture.service())
      expect(await list(next)).to.deep.equal({ items: [], next })
    })
  })

  it('are refused behind a cursor of which a restore has left nothing, and one that the tenant was never given', async () => {
    const first = await list()
    await issueToken(fixture, tenantId, true)
    const { next } = await list()
    const refused = async (cursor: string, reason: string) => {
      const error = await list(cursor).catch((error: unknown) => error)
      expect(error).to.be.instanceOf(DomainError).and.include({ code: 'INVALID_PARAMETERS' })
      expect((error as DomainError).message).to.include(reason)
    }
    const lose = (ms: number) => fixture.rows('update change_number set last = last - $1::bigint', [ms])
    await lose(hourMs)
    expect(await list(next)).to.deep.equal({ items: [], next })
    await lose(1)
    await refused(next, 'restored from an older backup')
    expect((await list(first.next)).items).to.have.length(1)
    await fixture.rows('delete from change_number')
    await refused(next, 'restored from an older backup')
    const other = toCursor(await fixture.addTenant(), next.split('-')[0]!)
    for (const cursor of [other, next.slice(0, -1), `1${next}`, `${next}0`, next.split('-')[0]!, '']) {
      await refused(cursor, 'next')
    }
  })

  it('keep a change of a status off every index until it is completed', async () => {
    const one = await startOne(fixture, tenantId)
    await recordProviderResult(fixture.service(), one.result('started', { attemptId: 'first' }))
    await recordProviderResult(fixture.service(), one.result('submitted', { attemptId: 'first' }))
    await eventually(async () => {
      const [updates] = await fixture.rows(
        `select sum(n_tup_upd)::int as updated, sum(n_tup_hot_upd)::int as hot from pg_stat_user_tables
         where relname = 'verification'`,
      )
      expect(updates).to.deep.equal({ updated: 2, hot: 2 })
    })
  })

  it('take few bytes of their index', async () => {
    const count = 10_000
    await fixture.rows(
      `insert into verification (id, tenant_id, status, provider_session_id, completed_at, change)
       select (lpad(to_hex($2::bigint + n), 12, '0') || '7' || repeat('0', 19))::uuid, $1, 'denied', 's', now(), 1000 + n
       from generate_series(1, $3::int) n`,
      [tenantId, fixture.clock().getTime(), count],
    )
    const [index] = await fixture.rows<{ size: number }>(
      `select pg_relation_size('verification_changes')::int as size`,
    )
    expect(index!.size / count).to.be.within(1, 45)
  })

  const ids = ({ items }: Changes) => items.map(item => item.verificationId)

  async function list(after?: string, { limit = 100, waitMs = 0 } = {}): Promise<Changes> {
    const scope = fixture.tenant(tenantId) as Parameters<typeof listChanges>[0]
    return await listChanges(scope, { after, limit, waitMs, signal: new AbortController().signal })
  }

  async function untilListed(count: number, cursor?: string, options?: { limit: number }): Promise<Changes> {
    const changes = await list(cursor, options)
    expect(changes.items).to.have.length(count)
    return changes
  }

  async function complete(one: Awaited<ReturnType<typeof startOne>>, by: Process = fixture): Promise<void> {
    await recordProviderResult(by.service(), one.result('declined'))
  }

  /** Works while a transaction is open that has a number, and perhaps has written. */
  async function during(url: string, statement: string, work: () => Promise<void>): Promise<void> {
    const client = new pg.Client(url)
    await client.connect()
    try {
      await client.query('begin')
      await client.query(statement)
      await work()
      await client.query('commit')
    } finally {
      await client.end()
    }
  }
})
