import { expect } from 'chai'
import { listAuditEvents } from '#domain/audit-event/list-audit-events.ts'
import { addMember } from '#domain/member/add-member.ts'
import { listMembers } from '#domain/member/list-members.ts'
import { listMemberships } from '#domain/member/list-memberships.ts'
import { mayRole, type Right, type Role, roles } from '#domain/member/member.policy.ts'
import { removeMember } from '#domain/member/remove-member.ts'
import { setMemberRole } from '#domain/member/set-member-role.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { type Administration, memberIssuer, openAdministration, owner } from './administration.ts'
import { refused } from './rejected.ts'

describe('members', () => {
  let here: Administration
  let tenantId: string
  before(async () => {
    here = await openAdministration()
  })
  after(() => here.close())
  beforeEach(async () => {
    tenantId = (await createTenant(here.operator(), { name: 'Shop' })).id
    await add('olivia', 'owner')
  })

  const add = (subject: string, role: Role) => addMember(here.operator(), { tenantId, subject, role })
  const remove = (subject: string) => removeMember(here.operator(), { tenantId, subject })
  const setRole = (subject: string, role: Role) => setMemberRole(here.operator(), { tenantId, subject, role })
  const members = async () =>
    Object.fromEntries(
      (await listMembers(here.operator(), { tenantId })).map(({ subject, role }) => [subject, role]),
    )

  it('added by an operator belong to the configured sign-in provider, those added by a member to the member’s own', async () => {
    await add('dana', 'viewer')
    const elsewhere = { ...owner(tenantId), issuer: 'https://other.example.com' }
    await addMember(here.scope(elsewhere), { tenantId, subject: 'dana', role: 'developer' })
    const found = await listMembers(here.operator(), { tenantId })
    expect(found.map(({ issuer, subject, role }) => [issuer, subject, role])).to.have.deep.members([
      [memberIssuer, 'olivia', 'owner'],
      [memberIssuer, 'dana', 'viewer'],
      ['https://other.example.com', 'dana', 'developer'],
    ])
  })

  it('who are added again get the new role', async () => {
    await add('dana', 'viewer')
    expect((await add('dana', 'developer')).role).to.equal('developer')
    expect(await members()).to.deep.equal({ olivia: 'owner', dana: 'developer' })
  })

  it('added twice at once are there once', async () => {
    await Promise.all([add('dana', 'viewer'), add('dana', 'viewer'), add('dana', 'viewer')])
    expect(await members()).to.deep.equal({ olivia: 'owner', dana: 'viewer' })
  })

  it('always include an owner: the last can be neither removed, demoted nor added with less', async () => {
    await add('dana', 'developer')
    const refusals = [
      await refused(remove('olivia'), 'FORBIDDEN'),
      await refused(setRole('olivia', 'viewer'), 'FORBIDDEN'),
      await refused(add('olivia', 'developer'), 'FORBIDDEN'),
    ]
    for (const { message } of refusals) expect(message).to.include('at least one owner')
    expect(await members()).to.deep.equal({ olivia: 'owner', dana: 'developer' })
    await add('dana', 'owner')
    await remove('olivia')
    expect(await members()).to.deep.equal({ dana: 'owner' })
  })

  it('always include an owner, also when two owners remove each other at once', async () => {
    for (let round = 0; round < 5; round++) {
      await Promise.all([add('one', 'owner'), add('two', 'owner')])
      if ((await members()).olivia) await remove('olivia')
      const answers = await Promise.allSettled([remove('one'), remove('two')])
      expect(answers.map(answer => answer.status)).to.have.members(['fulfilled', 'rejected'])
      expect(Object.values(await members())).to.deep.equal(['owner'])
    }
  })

  it('always include an owner, also when one is demoted while the other is removed', async () => {
    await add('two', 'owner')
    const answers = await Promise.allSettled([setRole('olivia', 'viewer'), remove('two')])
    expect(answers.map(answer => answer.status)).to.have.members(['fulfilled', 'rejected'])
    expect(Object.values(await members())).to.include('owner')
  })

  it('who are not there can’t be changed or removed, nor can those of another tenant', async () => {
    const other = await createTenant(here.operator(), { name: 'Other' })
    await addMember(here.operator(), { tenantId: other.id, subject: 'foreign', role: 'owner' })
    const refusal = await refused(setRole('foreign', 'viewer'), 'INVALID_PARAMETERS')
    expect(refusal.message).to.equal('No member has the subject foreign.')
    await refused(remove('foreign'), 'INVALID_PARAMETERS')
    const memberships = await listMemberships(here.operator(), { issuer: memberIssuer, subject: 'foreign' })
    expect(memberships.map(({ role }) => role)).to.deep.equal(['owner'])
  })

  it('need a subject and a role that there is', async () => {
    for (const subject of ['', ' ', 'x'.repeat(256), 'a\0b']) {
      await refused(add(subject, 'viewer'), 'INVALID_PARAMETERS')
    }
    await refused(add('dana', 'admin' as Role), 'INVALID_PARAMETERS')
    expect(await members()).to.deep.equal({ olivia: 'owner' })
  })

  it('are told in the audit log with what changed, and only when something did', async () => {
    await add('dana', 'viewer')
    await add('dana', 'viewer')
    await setRole('dana', 'developer')
    await remove('dana')
    const { items } = await listAuditEvents(here.operator(), { tenantId })
    const told = items.filter(event => event.target === 'dana').map(event => [event.action, event.changes])
    expect(told).to.have.deep.members([
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
    it(`who are ${role}s may ${table[role].join(', ')} and nothing else`, () => {
      expect(table.owner.filter(right => mayRole(role, right))).to.deep.equal(table[role])
    })
  }
})
