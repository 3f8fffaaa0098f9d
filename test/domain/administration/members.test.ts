import { expect } from 'chai'
import { listAuditEvents } from '#domain/audit-event/list-audit-events.ts'
import { addMember } from '#domain/member/add-member.ts'
import { listMembers } from '#domain/member/list-members.ts'
import { listMemberships } from '#domain/member/list-memberships.ts'
import { hasRight, type Right, type Role, roles } from '#domain/member/member.policy.ts'
import { removeMember } from '#domain/member/remove-member.ts'
import { setMemberRole } from '#domain/member/set-member-role.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { type Fixture, memberIssuer, openFixture, owner } from './fixture.ts'
import { rejected } from './rejected.ts'

describe('members', () => {
  let fixture: Fixture
  let tenantId: string
  before(async () => {
    fixture = await openFixture()
  })
  after(() => fixture.close())
  beforeEach(async () => {
    tenantId = (await createTenant(fixture.operator(), { name: 'Shop' })).id
    await add('olivia', 'owner')
  })

  const add = (subject: string, role: Role) => addMember(fixture.operatorFor(tenantId), { subject, role })
  const remove = (subject: string) => removeMember(fixture.operatorFor(tenantId), { subject })
  const setRole = (subject: string, role: Role) =>
    setMemberRole(fixture.operatorFor(tenantId), { subject, role })
  const members = async () =>
    Object.fromEntries(
      (await listMembers(fixture.operatorFor(tenantId))).map(({ subject, role }) => [subject, role]),
    )

  it('belong to the configured sign-in provider if added by the operator, and to the member’s own if added by a member', async () => {
    await add('dana', 'viewer')
    const elsewhere = { ...owner(tenantId), issuer: 'https://other.example.com' }
    await addMember(fixture.scope(elsewhere), { subject: 'dana', role: 'developer' })
    const found = await listMembers(fixture.operatorFor(tenantId))
    expect(found.map(({ issuer, subject, role }) => [issuer, subject, role])).to.have.deep.members([
      [memberIssuer, 'olivia', 'owner'],
      [memberIssuer, 'dana', 'viewer'],
      ['https://other.example.com', 'dana', 'developer'],
    ])
  })

  it('get the new role when they are added again', async () => {
    await add('dana', 'viewer')
    expect((await add('dana', 'developer')).role).to.equal('developer')
    expect(await members()).to.deep.equal({ olivia: 'owner', dana: 'developer' })
  })

  it('are added only once by concurrent calls', async () => {
    await Promise.all([add('dana', 'viewer'), add('dana', 'viewer'), add('dana', 'viewer')])
    expect(await members()).to.deep.equal({ olivia: 'owner', dana: 'viewer' })
  })

  it('always include an owner: the last one cannot be removed, demoted or re-added with a lesser role', async () => {
    await add('dana', 'developer')
    const errors = [
      await rejected(remove('olivia'), 'FORBIDDEN'),
      await rejected(setRole('olivia', 'viewer'), 'FORBIDDEN'),
      await rejected(add('olivia', 'developer'), 'FORBIDDEN'),
    ]
    for (const { message } of errors) expect(message).to.include('at least one owner')
    expect(await members()).to.deep.equal({ olivia: 'owner', dana: 'developer' })
    await add('dana', 'owner')
    await remove('olivia')
    expect(await members()).to.deep.equal({ dana: 'owner' })
  })

  it('always include an owner, even when two owners remove each other concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      await Promise.all([add('one', 'owner'), add('two', 'owner')])
      if ((await members()).olivia) await remove('olivia')
      const results = await Promise.allSettled([remove('one'), remove('two')])
      expect(results.map(result => result.status)).to.have.members(['fulfilled', 'rejected'])
      expect(Object.values(await members())).to.deep.equal(['owner'])
    }
  })

  it('always include an owner, even when one is demoted while the other is removed', async () => {
    await add('two', 'owner')
    const results = await Promise.allSettled([setRole('olivia', 'viewer'), remove('two')])
    expect(results.map(result => result.status)).to.have.members(['fulfilled', 'rejected'])
    expect(Object.values(await members())).to.include('owner')
  })

  it('cannot be changed or removed if they are unknown or belong to another tenant', async () => {
    const other = await createTenant(fixture.operator(), { name: 'Other' })
    await addMember(fixture.operatorFor(other.id), { subject: 'foreign', role: 'owner' })
    const error = await rejected(setRole('foreign', 'viewer'), 'INVALID_PARAMETERS')
    expect(error.message).to.equal('No member has the subject foreign.')
    await rejected(remove('foreign'), 'INVALID_PARAMETERS')
    const memberships = await listMemberships(fixture.operator(), {
      issuer: memberIssuer,
      subject: 'foreign',
    })
    expect(memberships.map(({ role }) => role)).to.deep.equal(['owner'])
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
    const { items } = await listAuditEvents(fixture.operatorFor(tenantId))
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
