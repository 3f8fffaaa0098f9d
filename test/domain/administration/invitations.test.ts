import { expect } from 'chai'
import { listAuditEvents } from '#domain/audit/list-audit-events.ts'
import { newId } from '#domain/ids.ts'
import { acceptInvitation } from '#domain/member/accept-invitation.ts'
import { addMember } from '#domain/member/add-member.ts'
import { createInvitation } from '#domain/member/create-invitation.ts'
import { getInvitation } from '#domain/member/get-invitation.ts'
import { Invitation } from '#domain/member/invitation.entity.ts'
import { listInvitations } from '#domain/member/list-invitations.ts'
import { listMembers } from '#domain/member/list-members.ts'
import { listOwnMemberships } from '#domain/member/list-memberships.ts'
import { leaveTenant, removeMember } from '#domain/member/remove-member.ts'
import { revokeInvitation } from '#domain/member/revoke-invitation.ts'
import { setMemberRole } from '#domain/member/set-member-role.ts'
import type { Role } from '#domain/permissions.ts'
import { setTenantEnabled } from '#domain/tenant/change-tenant-access.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { failuresInWaves } from '../../harness/in-waves.ts'
import { dayMs, memberIssuer, owner, useFixture, user } from './fixture.ts'
import { rejected } from './rejected.ts'

describe('invitations', () => {
  const fixture = useFixture()
  let tenantId: string
  const operator = () => fixture.operatorFor(tenantId)
  beforeEach(async () => {
    fixture.time.now = new Date('2026-11-20T12:00:00.000Z')
    tenantId = (await createTenant(fixture.operator(), { name: 'Shop' })).id
    await addMember(operator(), { subject: 'olivia', role: 'owner' })
    await listOwnMemberships(fixture.scope(user('olivia')))
  })

  const asOwner = (subject = 'olivia') => fixture.scope(owner(tenantId, subject))
  const invite = (role: Role = 'viewer', by = 'olivia', validForDays?: number) =>
    createInvitation(asOwner(by), { role, validForDays })
  const accept = (subject: string, code: string) => acceptInvitation(fixture.scope(user(subject)), { code })
  const open = (subject: string, code: string) => getInvitation(fixture.scope(user(subject)), { code })
  const listed = async () => (await listInvitations(asOwner())).map(({ invitation }) => invitation.id)
  const members = async () =>
    Object.fromEntries((await listMembers(asOwner())).items.map(({ subject, role }) => [subject, role]))
  /** Stores invitations of the tenant in addition, which work for 7 days or were revoked. */
  const storeInvitations = (count: number, revokedAt: Date | null = null) =>
    fixture.operator().em.execute(
      `insert into invitation (tenant_id, id, role, code_hash, inviter_issuer, inviter_subject, created_at, expires_at, revoked_at)
       select ?::uuid, overlay(gen_random_uuid()::text placing ? from 1 for 15)::uuid, 'viewer', gen_random_uuid()::text,
         ?, 'olivia', now.at, now.at + interval '7 days', ?::timestamptz
       from (select ?::timestamptz as at) now, generate_series(1, ?::int)`,
      [tenantId, newId(fixture.time.now).slice(0, 15), memberIssuer, revokedAt, fixture.time.now, count],
    )
  const later = (ms: number) => {
    fixture.time.now = new Date(fixture.time.now.getTime() + ms)
  }

  it('say before they are accepted that a member can’t, and that nobody can while the tenant has 500 members', async () => {
    const { code } = await invite()
    expect(await open('dana', code)).to.include({ tenantName: 'Shop' })
    const { message } = await rejected(open('olivia', code), 'NOT_PROVISIONED')
    expect(message).to.equal('You are already a member of this tenant.')
    await fixture.operator().em.execute(
      `insert into member (tenant_id, issuer, subject, id, role, added_at)
       select ?, ?, gen_random_uuid(), gen_random_uuid(), 'viewer', now() from generate_series(1, 499)`,
      [tenantId, memberIssuer],
    )
    const full = await rejected(open('dana', code), 'NOT_PROVISIONED')
    expect(full.message).to.include('500 members')
    expect(full.message).not.to.include(code)
  })

  it('store and audit the code nowhere', async () => {
    const { code } = await invite()
    await accept('dana', code)
    const stored = await fixture.operator().em.execute('select * from invitation')
    const { items } = await listAuditEvents(asOwner())
    expect(items.map(({ action }) => action)).to.include.members(['invitation.create', 'invitation.accept'])
    expect(JSON.stringify([stored, items])).not.to.include(code)
  })

  it('are audited with the inviter, the invitation and the user who accepts', async () => {
    const { invitation, code } = await invite('owner')
    await accept('dana', code)
    const other = await invite('viewer')
    await revokeInvitation(asOwner('dana'), { invitationId: other.invitation.id })
    const { items } = await listAuditEvents(asOwner())
    const recorded = items
      .filter(({ action }) => action.startsWith('invitation.'))
      .map(({ actorSubject, action, target, changes }) => ({ actor: actorSubject, action, target, changes }))
    const expiresAt = '2026-11-27T12:00:00.000Z'
    const [target, second] = [invitation.id, other.invitation.id]
    expect(recorded).to.have.deep.members([
      { actor: 'olivia', action: 'invitation.create', target, changes: { role: 'owner', expiresAt } },
      {
        actor: 'dana',
        action: 'invitation.accept',
        target,
        changes: { subject: 'dana', role: 'owner', inviter: 'olivia' },
      },
      {
        actor: 'olivia',
        action: 'invitation.create',
        target: second,
        changes: { role: 'viewer', expiresAt },
      },
      { actor: 'dana', action: 'invitation.revoke', target: second, changes: { role: 'viewer' } },
    ])
  })

  it('work for one of twenty people who accept concurrently', async () => {
    const { code } = await invite()
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => accept(`guest ${index}`, code)),
    )
    const failed = results.filter(result => result.status === 'rejected')
    expect(failed).to.have.length(19)
    for (const { reason } of failed) await rejected(Promise.reject(reason), 'NOT_PROVISIONED')
    expect(Object.keys(await members())).to.have.length(2)
  })

  it('cannot be accepted or opened once they are spent, revoked or expired, or if they are unknown', async () => {
    const spent = await invite()
    await accept('first', spent.code)
    const revoked = await invite()
    await revokeInvitation(asOwner(), { invitationId: revoked.invitation.id })
    const expired = await invite()
    const messages: Record<string, RegExp> = {
      [spent.code]: /already accepted/,
      [revoked.code]: /revoked/,
      [expired.code]: /expired/,
      unknown: /does not exist/,
      '': /does not exist/,
    }
    later(7 * dayMs - 1)
    await open('late', expired.code)
    later(1)
    for (const [code, message] of Object.entries(messages)) {
      for (const attempt of [open, accept]) {
        const error = await rejected(attempt('late', code), 'NOT_PROVISIONED')
        expect(error.message).to.match(message)
        if (code) expect(JSON.stringify([error.message, error.details, error.stack])).not.to.include(code)
      }
    }
    expect(await members()).to.deep.equal({ olivia: 'owner', first: 'viewer' })
    expect((await listOwnMemberships(fixture.scope(user('late')))).items).to.deep.equal([])
  })

  it('are valid for 7 days, or for the number of days that is asked for, 30 at most', async () => {
    const expiry = async (days?: number) =>
      (await invite('viewer', 'olivia', days)).invitation.expiresAt.toISOString()
    expect(await expiry()).to.equal('2026-11-27T12:00:00.000Z')
    expect(await expiry(1)).to.equal('2026-11-21T12:00:00.000Z')
    expect(await expiry(30)).to.equal('2026-12-20T12:00:00.000Z')
    for (const days of [0, 31, 1.5, Number.NaN])
      await rejected(invite('viewer', 'olivia', days), 'INVALID_PARAMETERS')
    expect(await listed()).to.have.length(3)
  })

  it('do not change the role of a member, and are not spent by one', async () => {
    await addMember(operator(), { subject: 'dana', role: 'viewer' })
    const { code } = await invite('owner')
    await rejected(accept('dana', code), 'NOT_PROVISIONED')
    expect((await members()).dana).to.equal('viewer')
    await accept('nora', code)
  })

  it('cannot be accepted while the tenant is disabled', async () => {
    const { code } = await invite()
    await setTenantEnabled(operator(), { enabled: false })
    await rejected(accept('dana', code), 'TENANT_INACTIVE')
    await setTenantEnabled(operator(), { enabled: true })
    await accept('dana', code)
  })

  it('are created at most 500 times within 24 hours per tenant, whatever became of them', async () => {
    await storeInvitations(499, fixture.time.now)
    await invite()
    const { message } = await rejected(invite(), 'NOT_PROVISIONED')
    expect(message).to.include('created 500 invitations within 24 hours')
    expect(await fixture.operator().em.count(Invitation, { tenantId })).to.equal(500)
    later(dayMs + 1)
    await invite()
  })

  it('are at most 50 open ones per tenant, also when they are created concurrently', async () => {
    await storeInvitations(30)
    const failures = await failuresInWaves(30, () => invite())
    expect(failures).to.have.length(10)
    for (const failure of failures) await rejected(Promise.reject(failure), 'NOT_PROVISIONED')
    const ids = await listed()
    expect(ids).to.have.length(50)
    await revokeInvitation(asOwner(), { invitationId: ids[0]! })
    await invite()
    await rejected(invite(), 'NOT_PROVISIONED')
    later(7 * dayMs)
    await invite()
    expect(await listed()).to.have.length(1)
  })

  const endings: Record<string, () => Promise<unknown>> = {
    removed: () => removeMember(asOwner(), { subject: 'dana' }),
    demoted: () => setMemberRole(asOwner(), { subject: 'dana', role: 'viewer' }),
    gone: () => leaveTenant(asOwner('dana')),
  }
  for (const [state, end] of Object.entries(endings)) {
    it(`of an owner stop working when the owner is ${state}, those of others do not`, async () => {
      await accept('dana', (await invite('owner')).code)
      const theirs = await invite('owner', 'dana')
      const another = await invite()
      await end()
      await rejected(accept('again', theirs.code), 'NOT_PROVISIONED')
      await accept('nora', another.code)
    })
  }
})
