import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { decodeJwt } from 'jose'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { listAuditEvents } from '#domain/audit/list-audit-events.ts'
import { deleteExpiredVerifications } from '#domain/deletion/delete-expired-verifications.ts'
import { deleteQueuedSession } from '#domain/deletion/delete-queued-session.ts'
import { deleteTenant } from '#domain/deletion/delete-tenant.ts'
import { eraseVerification } from '#domain/deletion/erase-verification.ts'
import { addMember } from '#domain/member/add-member.ts'
import { createInvitation } from '#domain/member/create-invitation.ts'
import { listOwnMemberships } from '#domain/member/list-memberships.ts'
import { retentionDaysOf } from '#domain/retention.policy.ts'
import { forTenant } from '#domain/scope.ts'
import { setRetention } from '#domain/tenant/set-retention.ts'
import { validateToken } from '#domain/token/validate-token.ts'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { startVerification } from '#domain/verification/start-verification.ts'
import { recordTestEvent } from '#domain/webhook/record-test-event.ts'
import { previewDeletion } from '#operator/queries/preview-deletion.ts'
import { memberIssuer } from '../harness/scope.ts'
import { rejected } from './administration/rejected.ts'
import { dumpDatabase, tablesOf } from './dump-database.ts'
import { dayMs, type Fixture, useFixture } from './verification/fixture.ts'
import { providerResult } from './verification/scripted-provider.ts'

describe('An erasure', () => {
  const fixture = useFixture()
  let tenantId: string
  beforeEach(async () => {
    tenantId = await fixture.addTenant()
  })

  const erase = (verificationId: string) => eraseVerification(fixture.operator(), { verificationId })

  it('leaves nothing of a verification in any table but usage counts and the id in the audit log', async () => {
    const kept = await approve(fixture, tenantId)
    const one = await approve(fixture, tenantId)
    await fixture.rows("update delivery set state = 'in_flight'")
    const before = await dumpDatabase(fixture)
    const signature = Buffer.from(one.token.split('.')[2]!, 'base64url').toString('hex')
    const traces = [one.providerSessionId, one.attemptId, signature, one.verificationId]
    for (const trace of traces) expect(linesWith(before, trace), trace).not.to.deep.equal([])
    for (const trace of [one.ip, one.userAgent]) expect(linesWith(before, trace), trace).to.deep.equal([])
    expect(tablesOf(linesWith(before, one.verificationId))).to.deep.equal([
      'delivery',
      'idempotency_key',
      'verification',
    ])
    await erase(one.verificationId)
    const queued = linesWith(await dumpDatabase(fixture), one.providerSessionId)
    expect(tablesOf(queued)).to.deep.equal(['session_deletion'])
    await deleteQueuedSession(fixture.service())
    expect(fixture.provider.deleted).to.deep.equal([one.providerSessionId])
    const after = await dumpDatabase(fixture)
    const left = traces.flatMap(trace => tablesOf(linesWith(after, trace)))
    expect(left).to.deep.equal(['audit_event', 'session_deletion'])
    expect(linesWith(after, kept.verificationId)).to.deep.equal(linesWith(before, kept.verificationId))
    const withRevoked = (line: string) => line.replace('"revoked_by_erasure":0', '"revoked_by_erasure":1')
    expect(after.filter(isUsage)).to.deep.equal(before.filter(isUsage).map(withRevoked))
    const tenant = fixture.tenant(tenantId)
    await rejected(getVerificationStatus(tenant, one.verificationId), 'VERIFICATION_NOT_FOUND')
    expect(await validateToken(tenant, one.token)).to.include({ reason: 'TOKEN_NOT_FOUND' })
    expect(await recordProviderResult(fixture.service(), one.result)).to.equal('unmatched')
    expect(await dumpDatabase(fixture)).to.deep.equal(after)
    expect(await validateToken(tenant, kept.token)).to.include({ reason: 'OK' })
  })

  it('counts a verification that is not completed as erased, and frees its idempotency key', async () => {
    // The row is stored when the process has had the time for it, not at the time of the id.
    const { verificationId } = await start(fixture, tenantId, 'key')
    await fixture.rows(`update idempotency_key set created_at = created_at + interval '2 s'`)
    await erase(verificationId)
    const left = linesWith(await dumpDatabase(fixture), verificationId)
    expect(tablesOf(left)).to.deep.equal(['audit_event', 'session_deletion'])
    const select = 'select started, erased, rejected from usage_day where tenant_id = $1'
    const counts = await fixture.rows(select, [tenantId])
    expect(counts).to.deep.equal([{ started: 1, erased: 1, rejected: 0 }])
    expect((await start(fixture, tenantId, 'key')).verificationId).not.to.equal(verificationId)
  })

  it('works on a verification that has expired and whose month is not over', async () => {
    const now = fixture.clock()
    const one = await approve(fixture, tenantId)
    fixture.clock.advance(401 * dayMs)
    await rejected(
      getVerificationStatus(fixture.tenant(tenantId), one.verificationId),
      'VERIFICATION_NOT_FOUND',
    )
    await erase(one.verificationId)
    fixture.clock.set(now)
    expect(linesWith(await dumpDatabase(fixture), one.attemptId)).to.deep.equal([])
  })

  it('by an owner who is none any more changes nothing', async () => {
    const one = await approve(fixture, tenantId)
    const operator = forTenant(fixture.operator(), tenantId)
    await addMember(operator, { subject: 'olivia', role: 'developer' })
    const owner = { issuer: memberIssuer, subject: 'olivia', ip: '198.51.100.7' }
    const member = { ...operator, actor: { kind: 'member', tenantId, role: 'owner', ...owner } } as const
    const before = await dumpDatabase(fixture)
    await rejected(eraseVerification(member, one), 'FORBIDDEN')
    expect(await dumpDatabase(fixture)).to.deep.equal(before)
  })

  it('that comes twice at the same time is recorded once, and answered twice', async () => {
    const { verificationId } = await approve(fixture, tenantId)
    const [first, second] = await Promise.all([erase(verificationId), erase(verificationId)])
    expect(first).to.deep.equal({ ...second, receipt: first.receipt })
    const events = linesWith(await dumpDatabase(fixture), verificationId)
    expect(tablesOf(events)).to.have.length(events.length)
  })

  it('and results that arrive at the same time leave nothing either', async () => {
    for (let round = 0; round < 10; round++) {
      const { verificationId, result } = await start(fixture, tenantId)
      await Promise.all([recordProviderResult(fixture.service(), result), erase(verificationId)])
      const left = linesWith(await dumpDatabase(fixture), verificationId)
      expect(tablesOf(left)).to.deep.equal(['audit_event', 'session_deletion'])
    }
  })
})

describe('A tenant’s retention', () => {
  const fixture = useFixture('test')
  let tenantId: string
  beforeEach(async () => {
    tenantId = await fixture.addTenant()
  })

  const setDays = (days: number, id = tenantId) => setRetention(forTenant(fixture.operator(), id), { days })
  const deleteExpired = () => deleteExpiredVerifications(fixture.service())
  const stored = () => fixture.rows<{ id: string }>('select id from verification order by id')

  it('leaves nothing of a completed verification but usage counts, and leaves the session to the provider', async () => {
    const other = await fixture.addTenant()
    const kept = await approve(fixture, other)
    await setDays(7)
    const one = await approve(fixture, tenantId)
    const { exp, iat } = decodeJwt(one.token)
    expect(exp! - iat!).to.equal(7 * 86_400)
    const before = await dumpDatabase(fixture)
    fixture.clock.advance(7 * dayMs - 1)
    expect(await deleteExpired()).to.equal(0)
    fixture.clock.advance(2)
    expect(await deleteExpired()).to.equal(1)
    const after = await dumpDatabase(fixture)
    const traces = [one.attemptId, one.verificationId]
    expect(traces.flatMap(trace => linesWith(after, trace))).to.deep.equal([])
    expect(linesWith(after, one.providerSessionId)).to.deep.equal([])
    expect(fixture.provider.deleted).to.deep.equal([])
    expect(linesWith(after, kept.verificationId)).to.deep.equal(linesWith(before, kept.verificationId))
    expect(after.filter(isUsage)).to.deep.equal(before.filter(isUsage))
    // Whose token has expired needs no mark in the status list.
    expect(tablesOf(after)).not.to.include('revoked_token')
    const tenant = fixture.tenant(tenantId)
    await rejected(getVerificationStatus(tenant, one.verificationId), 'VERIFICATION_NOT_FOUND')
    expect(await validateToken(tenant, one.token)).to.include({ reason: 'TOKEN_NOT_FOUND' })
    expect(await recordProviderResult(fixture.service(), one.result)).to.equal('unmatched')
  })

  it('revokes offline what was issued for longer before it was shortened, which isn’t valid online either', async () => {
    const one = await approve(fixture, tenantId)
    expect(decodeJwt(one.token).exp! - decodeJwt(one.token).iat!).to.equal(30 * 86_400)
    await setDays(1)
    fixture.clock.advance(dayMs + 1)
    expect(await deleteExpired()).to.equal(1)
    expect(await validateToken(fixture.tenant(tenantId), one.token)).to.include({ reason: 'TOKEN_NOT_FOUND' })
    expect(await fixture.rows('select from revoked_token')).to.have.length(1)
  })

  it('never ends an open verification beside one that has expired: its time begins with its completion', async () => {
    await setDays(1)
    const { verificationId, result } = await start(fixture, tenantId)
    await approve(fixture, tenantId)
    fixture.clock.advance(7 * dayMs)
    expect(await deleteExpired()).to.equal(1)
    await recordProviderResult(fixture.service(), result)
    fixture.clock.advance(dayMs - 1)
    expect(await deleteExpired()).to.equal(0)
    expect((await getVerificationStatus(fixture.tenant(tenantId), verificationId)).status).to.equal(
      'approved',
    )
    fixture.clock.advance(1)
    expect(await deleteExpired()).to.equal(1)
  })

  it('is at most that of the service, which is also the way back, and follows it when it is lowered', async () => {
    for (const days of [0, 401, 1.5, -1]) {
      const { message } = await rejected(setDays(days), 'INVALID_PARAMETERS')
      expect(message).to.include('a whole number from 1 to 400')
    }
    const stored = async (days: number) => (await setDays(days)).retentionDays
    expect([await stored(1), await stored(399), await stored(400)]).to.deep.equal([1, 399, null])
    await setDays(300)
    const { rules } = fixture.operator()
    const lowered = { ...rules, verificationRetentionMs: 100 * dayMs }
    const live = { test: false }
    expect(retentionDaysOf({ ...live, retentionDays: 300 }, rules)).to.equal(300)
    expect(retentionDaysOf({ ...live, retentionDays: 300 }, lowered)).to.equal(100)
    expect(retentionDaysOf({ ...live, retentionDays: null }, lowered)).to.equal(100)
    expect(retentionDaysOf({ test: true, retentionDays: 300 }, rules)).to.equal(30)
    const { items } = await listAuditEvents(forTenant(fixture.operator(), tenantId), {
      action: 'tenant.set_retention',
    })
    expect(items.map(({ changes }) => changes)).to.have.deep.members([
      { from: 400, to: 300 },
      { from: 399, to: 400 },
      { from: 1, to: 399 },
      { from: 400, to: 1 },
    ])
  })

  it('is applied in batches of each tenant, so that a backlog holds up nobody', async () => {
    const other = await fixture.addTenant()
    await fixture.rows(
      `insert into verification (id, tenant_id, status, provider_session_id, completed_at)
       select overlay(gen_random_uuid()::text placing '019a0000-0000-7' from 1 for 15)::uuid, $1, 'denied', 'session ' || n,
         '2025-10-20' from generate_series(1, 3000) n`,
      [tenantId],
    )
    const one = await approve(fixture, other)
    for (const id of [tenantId, other]) await setDays(1, id)
    fixture.clock.advance(dayMs + 1)
    expect(await deleteExpired()).to.equal(2_501)
    expect((await stored()).map(({ id }) => id)).not.to.include(one.verificationId)
    expect(await deleteExpired()).to.equal(500)
    expect(await stored()).to.deep.equal([])
    expect(await deleteExpired()).to.equal(0)
  })
})

describe('The deletion of a tenant', () => {
  const fixture = useFixture('test')
  let tenantId: string
  beforeEach(async () => {
    tenantId = await fixture.addTenant()
    await fill(fixture, tenantId)
  })

  const remove = (more: {
    name?: string
    skipProvider?: boolean
    onSessions?: (ids: string[]) => Promise<void>
  }) =>
    deleteTenant(forTenant(fixture.operator(), tenantId), { name: 'Tenant', skipProvider: false, ...more })

  it('leaves nothing but usage counts and an event of the service, and nothing of another tenant changes', async () => {
    const other = await fixture.addTenant()
    await fill(fixture, other)
    const before = await dumpDatabase(fixture)
    const preview = await previewDeletion(forTenant(fixture.operator(), tenantId))
    expect(preview).to.include({
      name: 'Tenant',
      verifications: 3,
      openVerifications: 1,
      apiKeys: 1,
      members: 1,
    })
    expect(await dumpDatabase(fixture)).to.deep.equal(before)
    await remove({})
    const after = await dumpDatabase(fixture)
    const outlasting = ['service_audit_event', 'session_deletion', 'usage_day', 'usage_month']
    expect(tablesOf(linesWith(after, tenantId))).to.deep.equal(outlasting)
    const withErased = (line: string) =>
      line.includes(tenantId) ? line.replace(/(?<=erased|by_erasure)":0/g, '":1') : line
    expect(after.filter(isUsage)).to.deep.equal(before.filter(isUsage).map(withErased))
    expect(linesWith(after, other)).to.deep.equal(linesWith(before, other))
    expect(await fixture.rows('select from session_deletion')).to.have.length(3)
    while (await deleteQueuedSession(fixture.service()));
    expect(fixture.provider.deleted).to.have.length(3)
    await rejected(remove({}), 'INVALID_PARAMETERS')
  })

  it('is refused under another name', async () => {
    const before = await dumpDatabase(fixture)
    await rejected(remove({ name: 'tenant' }), 'INVALID_PARAMETERS')
    expect(await dumpDatabase(fixture)).to.deep.equal(before)
  })

  it('rejects its keys and members first, and goes on where it was interrupted', async () => {
    const interrupt = () => Promise.reject(new Error('interrupted'))
    expect(await remove({ onSessions: interrupt }).catch(error => error.message)).to.equal('interrupted')
    expect(tablesOf(linesWith(await dumpDatabase(fixture), tenantId))).to.deep.equal([
      'delivery',
      'open_verification',
      'tenant',
      'usage_day',
      'usage_month',
      'verification',
      'verification_outcome',
    ])
    expect(await fixture.rows('select disabled_at is null as enabled from tenant')).to.deep.equal([
      { enabled: false },
    ])
    await remove({})
    expect(await fixture.rows('select from verification')).to.deep.equal([])
  })

  it('deletes more verifications than a transaction does, whose sessions the operator gets before', async () => {
    await fixture.rows(
      `insert into verification (id, tenant_id, status, provider_session_id, completed_at)
       select overlay(gen_random_uuid()::text placing '019f0000-0000-7' from 1 for 15)::uuid, $1, 'denied', 'session ' || n, now()
       from generate_series(1, 1100) n`,
      [tenantId],
    )
    const sessions: string[] = []
    await remove({ skipProvider: true, onSessions: async ids => void sessions.push(...ids) })
    expect(await fixture.rows('select from session_deletion')).to.deep.equal([])
    expect(new Set(sessions).size).to.equal(1103)
    expect(await fixture.rows('select from verification')).to.deep.equal([])
    expect(await fixture.rows('select from tenant')).to.deep.equal([])
  })

  it('ends a start that is under way and refuses one that follows, which leave nothing', async () => {
    const [reached, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    fixture.provider.before = async () => {
      fixture.provider.before = async () => {}
      reached.resolve()
      await resumed.promise
    }
    const starting = start(fixture, tenantId, 'under way').catch((error: unknown) => error)
    await reached.promise
    await remove({ skipProvider: true })
    resumed.resolve()
    expect(await starting).to.include({ code: 'INTERNAL_ERROR' })
    await rejected(startVerification(fixture.tenant(tenantId), {}), 'UNAUTHENTICATED_TENANT')
    const left = linesWith(await dumpDatabase(fixture), tenantId)
    expect(tablesOf(left)).to.deep.equal(['service_audit_event', 'usage_day', 'usage_month'])
  })
})

const isUsage = (line: string) => line.startsWith('usage_')

function linesWith(lines: readonly string[], text: string): string[] {
  return lines.filter(line => line.includes(text))
}

let started = 0

/** A verification of a person who can be recognised. */
async function start(fixture: Fixture, tenantId: string, idempotencyKey?: string) {
  started += 1
  fixture.clock.advance(1)
  const ip = `203.0.113.${started}`
  const userAgent = `Browser of person ${started}.`
  const { verificationId, sessionUrl } = await startVerification(fixture.tenant(tenantId), {
    ip,
    userAgent,
    idempotencyKey: idempotencyKey ?? `key ${started}`,
  })
  const providerSessionId = sessionUrl.slice(sessionUrl.lastIndexOf('/') + 1)
  const attemptId = randomUUID()
  const ids = { vendorData: verificationId, providerSessionId, attemptId }
  const result = providerResult('approved', { ...ids, over18: true })
  return { verificationId, providerSessionId, attemptId, ip, userAgent, result }
}

async function approve(fixture: Fixture, tenantId: string) {
  const one = await start(fixture, tenantId)
  await recordProviderResult(fixture.service(), one.result)
  const { token } = await getVerificationStatus(fixture.tenant(tenantId), one.verificationId)
  return { ...one, token: token! }
}

/** A row of the tenant in every table. */
async function fill(fixture: Fixture, tenantId: string): Promise<void> {
  await approve(fixture, tenantId)
  await start(fixture, tenantId)
  const denied = await start(fixture, tenantId)
  await recordProviderResult(fixture.service(), { ...denied.result, outcome: 'declined' })
  const operator = forTenant(fixture.operator(), tenantId)
  const event = { tenantId, at: operator.now, attempt: 1, url: null, headers: {}, body: '{}' }
  await recordTestEvent(operator.pool, event)
  await createApiKey(operator, { name: 'web' })
  const owner = { issuer: memberIssuer, subject: `olivia ${tenantId}`, ip: '198.51.100.7' }
  await addMember(operator, { subject: owner.subject, role: 'owner' })
  await listOwnMemberships({ ...operator, actor: { kind: 'user', ...owner } })
  const member = { ...operator, actor: { kind: 'member', tenantId, role: 'owner', ...owner } } as const
  await createInvitation(member, { role: 'viewer' })
}
