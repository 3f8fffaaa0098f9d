import { expect } from 'chai'
import { listAuditEvents } from '#domain/audit/list-audit-events.ts'
import { newId } from '#domain/ids.ts'
import { addMember } from '#domain/member/add-member.ts'
import { listMembers } from '#domain/member/list-members.ts'
import { listOwnMemberships } from '#domain/member/list-memberships.ts'
import { Member } from '#domain/member/member.entity.ts'
import { leaveTenant, removeMember } from '#domain/member/remove-member.ts'
import { setMemberRole } from '#domain/member/set-member-role.ts'
import { allPages } from '#domain/page.ts'
import { hasRight, type Right, type Role, roles } from '#domain/permissions.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { memberIssuer, owner, useFixture, user } from './fixture.ts'
import { rejected } from './rejected.ts'

const formerIssuer = 'https://former.example.com'

describe('members', () => {
  const fixture = useFixture()
  let tenantId: string
  const operator = () => fixture.operatorFor(tenantId)
  beforeEach(async () => {
    tenantId = (await createTenant(fixture.operator(), { name: 'Shop' })).id
    await add('olivia', 'owner')
  })

  const add = (subject: string, role: Role) => addMember(operator(), { subject, role })
  const remove = (subject: string, issuer?: string) => removeMember(operator(), { subject, issuer })
  const setRole = (subject: string, role: Role) => setMemberRole(operator(), { subject, role })
  const signIn = (subject: string) => listOwnMemberships(fixture.scope(user(subject)))
  const list = async () => (await listMembers(operator())).items
  const members = async () => Object.fromEntries((await list()).map(({ subject, role }) => [subject, role]))

  /** A member of a sign-in provider that the service no longer uses, who had signed in there. */
  async function addFormerMember(subject: string, role: Role): Promise<void> {
    const { em, now } = fixture.operator()
    const issuer = formerIssuer
    em.create(Member, { tenantId, issuer, subject, id: newId(now), role, addedAt: now, lastSeenAt: now })
    await em.flush()
  }

  it('belong to the sign-in provider in use, and are listed with it in pages, oldest first', async () => {
    await addFormerMember('olivia', 'owner')
    fixture.time.now = new Date(fixture.time.now.getTime() + 1)
    await add('dana', 'viewer')
    const first = await listMembers(operator(), { limit: 2 })
    expect(first.items.map(({ issuer, subject }) => [issuer, subject])).to.have.deep.members([
      [memberIssuer, 'olivia'],
      [formerIssuer, 'olivia'],
    ])
    const second = await listMembers(operator(), { limit: 2, cursor: first.nextCursor })
    expect(second.items.map(({ issuer, subject }) => [issuer, subject])).to.deep.equal([
      [memberIssuer, 'dana'],
    ])
    expect(second.nextCursor).to.equal(null)
  })

  it('are found by a part of their name, address, subject or role, which is no pattern', async () => {
    await add('dana_1', 'developer')
    await add('dana%2', 'viewer')
    await operator().em.nativeUpdate(
      Member,
      { tenantId, subject: 'olivia' },
      { name: 'Zoë', email: 'zo@a.example' },
    )
    const found = async (search: string) =>
      (await listMembers(operator(), { search })).items.map(({ subject }) => subject)
    expect(await found('DANA')).to.have.members(['dana_1', 'dana%2'])
    expect(await found('a_')).to.deep.equal(['dana_1'])
    expect(await found('%')).to.deep.equal(['dana%2'])
    expect(await found('\\')).to.deep.equal([])
    expect(await found('zoë')).to.deep.equal(['olivia'])
    expect(await found('@a.ex')).to.deep.equal(['olivia'])
    expect(await found('owner')).to.deep.equal(['olivia'])
    await rejected(found('x'.repeat(321)), 'INVALID_PARAMETERS')
  })

  it('always include an owner: the last one cannot be removed, demoted or re-added with a lesser role', async () => {
    await add('dana', 'developer')
    const errors = [
      await rejected(remove('olivia'), 'FORBIDDEN'),
      await rejected(setRole('olivia', 'viewer'), 'FORBIDDEN'),
      await rejected(add('olivia', 'developer'), 'FORBIDDEN'),
    ]
    for (const { message } of errors) expect(message).to.include('at least one owner')
    await rejected(leaveTenant(fixture.scope(owner(tenantId))), 'FORBIDDEN')
    expect(await members()).to.deep.equal({ olivia: 'owner', dana: 'developer' })
    await add('dana', 'owner')
    await remove('olivia')
    expect(await members()).to.deep.equal({ dana: 'owner' })
  })

  const races: Record<string, () => Promise<unknown>[]> = {
    'remove each other': () => [remove('olivia'), remove('two')],
    'demote and remove each other': () => [setRole('olivia', 'viewer'), remove('two')],
    leave: () => ['olivia', 'two'].map(subject => leaveTenant(fixture.scope(owner(tenantId, subject)))),
  }
  for (const [title, race] of Object.entries(races)) {
    it(`always include an owner, even when the last two ${title} concurrently`, async () => {
      await add('two', 'owner')
      await Promise.all([signIn('olivia'), signIn('two')])
      const results = await Promise.allSettled(race())
      expect(results.map(result => result.status)).to.have.members(['fulfilled', 'rejected'])
      expect(Object.values(await members()).filter(role => role === 'owner')).to.have.length(1)
    })
  }

  it('cannot replace the last owner who has signed in before they have signed in themselves', async () => {
    await signIn('olivia')
    await add('ghost', 'owner')
    await rejected(remove('olivia'), 'FORBIDDEN')
    await rejected(setRole('olivia', 'viewer'), 'FORBIDDEN')
    await rejected(leaveTenant(fixture.scope(owner(tenantId))), 'FORBIDDEN')
    await remove('ghost')
    await add('ghost', 'owner')
    await signIn('ghost')
    await leaveTenant(fixture.scope(owner(tenantId)))
    expect(await members()).to.deep.equal({ ghost: 'owner' })
  })

  it('of a former sign-in provider do not count as owners, and can be removed by their issuer', async () => {
    await signIn('olivia')
    await addFormerMember('olivia', 'owner')
    await rejected(remove('olivia'), 'FORBIDDEN')
    await rejected(leaveTenant(fixture.scope(owner(tenantId))), 'FORBIDDEN')
    await removeMember(fixture.scope(owner(tenantId)), { subject: 'olivia', issuer: formerIssuer })
    expect((await list()).map(({ issuer }) => issuer)).to.deep.equal([memberIssuer])
    const { items } = await listAuditEvents(operator())
    const removal = items.find(event => event.action === 'member.remove')
    expect(removal?.changes).to.deep.equal({ role: 'owner', issuer: formerIssuer })
  })

  for (const role of ['viewer', 'developer'] as const) {
    it(`with the role ${role} can leave, which is audited`, async () => {
      await add('dana', role)
      await leaveTenant(fixture.scope({ ...owner(tenantId, 'dana'), role }))
      expect(await members()).to.deep.equal({ olivia: 'owner' })
      const { items } = await listAuditEvents(operator())
      const left = items.find(event => event.action === 'member.leave')
      expect(left).to.deep.include({ actorSubject: 'dana', target: 'dana', changes: { role } })
    })
  }

  it('are recorded as seen when they sign in, at most once a day', async () => {
    const seen = async () => (await list()).find(({ subject }) => subject === 'olivia')?.lastSeenAt
    expect(await seen()).to.equal(null)
    const first = fixture.time.now
    await Promise.all(Array.from({ length: 5 }, () => signIn('olivia')))
    expect(await seen()).to.deep.equal(first)
    fixture.time.now = new Date(first.getTime() + 24 * 60 * 60 * 1000)
    await signIn('olivia')
    expect(await seen()).to.deep.equal(first)
    fixture.time.now = new Date(fixture.time.now.getTime() + 1)
    await signIn('olivia')
    expect(await seen()).to.deep.equal(fixture.time.now)
  })

  it('are at most 500 per tenant, also when they are added concurrently', async () => {
    await fixture.operator().em.execute(
      `insert into member (tenant_id, issuer, subject, id, role, added_at)
       select ?, ?, 'user ' || n, gen_random_uuid(), 'viewer', now() from generate_series(1, 494) n`,
      [tenantId, memberIssuer],
    )
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => add(`new ${index}`, 'viewer')),
    )
    const failed = results.filter(result => result.status === 'rejected')
    expect(failed).to.have.length(5)
    for (const { reason } of failed) {
      const { message } = await rejected(Promise.reject(reason), 'NOT_PROVISIONED')
      expect(message).to.include('500 members')
    }
    expect(await allPages(request => listMembers(operator(), request))).to.have.length(500)
  })

  it('belong to at most 500 tenants', async () => {
    await fixture.operator().em.execute(
      `with added as (
         insert into tenant (id, name, plan_name, subscription, created_at)
         select gen_random_uuid(), 'Other', 'default', 'active', now() from generate_series(1, 499) returning id
       )
       insert into member (tenant_id, issuer, subject, id, role, added_at)
       select id, ?, 'busy', gen_random_uuid(), 'viewer', now() from added`,
      [memberIssuer],
    )
    const other = await createTenant(fixture.operator(), { name: 'Other' })
    const results = await Promise.allSettled([
      add('busy', 'viewer'),
      addMember(fixture.operatorFor(other.id), { subject: 'busy', role: 'viewer' }),
    ])
    expect(results.map(result => result.status)).to.have.members(['fulfilled', 'rejected'])
    const ownMemberships = () => allPages(request => listOwnMemberships(fixture.scope(user('busy')), request))
    const tenantIds = new Set((await ownMemberships()).map(each => each.tenantId))
    expect(tenantIds.size, 'in pages').to.equal(500)
  })

  it('require a valid subject and a known role', async () => {
    for (const subject of ['', ' ', 'x'.repeat(256), 'a\0b', 'a\u001b[2J', 'a\u202eb', 'a\u200bb']) {
      await rejected(add(subject, 'viewer'), 'INVALID_PARAMETERS')
    }
    await rejected(add('dana', 'admin' as Role), 'INVALID_PARAMETERS')
    expect(await members()).to.deep.equal({ olivia: 'owner' })
  })

  it('are recorded in the audit log only when something changed', async () => {
    await add('dana', 'viewer')
    await add('dana', 'viewer')
    await setRole('dana', 'developer')
    await remove('dana')
    const { items } = await listAuditEvents(operator())
    const recorded = items
      .filter(event => event.target === 'dana')
      .map(event => [event.action, event.changes])
    expect(recorded).to.have.deep.members([
      ['member.add', { role: 'viewer' }],
      ['member.set_role', { from: 'viewer', to: 'developer' }],
      ['member.remove', { role: 'developer' }],
    ])
  })

  const table: Record<Role, Right[]> = {
    viewer: ['read'],
    developer: ['read', 'keys', 'settings', 'tokens'],
    owner: ['read', 'keys', 'settings', 'tokens', 'members', 'tenant'],
  }
  for (const role of roles) {
    it(`with the role ${role} have the rights ${table[role].join(', ')} and no others`, () => {
      expect(table.owner.filter(right => hasRight(role, right))).to.deep.equal(table[role])
    })
  }
})
