import { expect } from 'chai'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { replaceApiKey } from '#domain/api-key/replace-api-key.ts'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import { listAuditEvents } from '#domain/audit/list-audit-events.ts'
import { createInvitation } from '#domain/member/create-invitation.ts'
import { listInvitations } from '#domain/member/list-invitations.ts'
import { listMembers } from '#domain/member/list-members.ts'
import { leaveTenant, removeMember } from '#domain/member/remove-member.ts'
import { revokeInvitation } from '#domain/member/revoke-invitation.ts'
import { setMemberRole } from '#domain/member/set-member-role.ts'
import { renameTenant, setReturnUrl, setWebhookUrl } from '#domain/tenant/change-settings.ts'
import { setTenantEnabled } from '#domain/tenant/change-tenant-access.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { revealWebhookSecret, rotateWebhookSecret } from '#domain/tenant/rotate-webhook-secret.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { owner, useFixture } from './fixture.ts'
import { storeApproval, storeOwner } from './history.ts'
import { rejected } from './rejected.ts'

describe('A change by a member, which was authorized before', () => {
  const fixture = useFixture('test')
  let tenantId: string
  let targets: { apiKeyId: string; invitationId: string; verificationId: string }
  beforeEach(async () => {
    tenantId = (await createTenant(fixture.operator(), { name: 'Shop' })).id
    for (const subject of ['olivia', 'oscar', 'vera']) await storeOwner(fixture.operator(), tenantId, subject)
    await setWebhookUrl(as('olivia'), { url: 'https://hooks.example.com/' })
    const { key } = await createApiKey(as('olivia'), { name: 'web' })
    const { invitation } = await createInvitation(as('olivia'), { role: 'viewer' })
    const { verificationId } = await storeApproval(fixture.operator(), tenantId)
    targets = { apiKeyId: key.id, invitationId: invitation.id, verificationId }
  })

  const as = (subject: string) => fixture.scope(owner(tenantId, subject))
  const audited = async () => (await listAuditEvents(fixture.operatorFor(tenantId), { limit: 100 })).items
  const changes: Record<string, () => Promise<unknown>> = {
    'creates an API key': () => createApiKey(as('oscar'), { name: 'mine' }),
    'replaces an API key': () => replaceApiKey(as('oscar'), { ...targets, overlapHours: 1 }),
    'revokes an API key': () => revokeApiKey(as('oscar'), targets),
    'invites an owner': () => createInvitation(as('oscar'), { role: 'owner' }),
    'revokes an invitation': () => revokeInvitation(as('oscar'), targets),
    'removes another member': () => removeMember(as('oscar'), { subject: 'vera' }),
    'changes the role of another member': () =>
      setMemberRole(as('oscar'), { subject: 'vera', role: 'viewer' }),
    'leaves the tenant': () => leaveTenant(as('oscar')),
    'renames the tenant': () => renameTenant(as('oscar'), { name: 'Mine' }),
    'sets the webhook URL': () => setWebhookUrl(as('oscar'), { url: 'https://evil.example.com/' }),
    'sets the return URL': () => setReturnUrl(as('oscar'), { url: 'https://evil.example.com/' }),
    'reveals the webhook secret': () => revealWebhookSecret(as('oscar')),
    'rotates the webhook secret': () => rotateWebhookSecret(as('oscar')),
    'revokes a token': () => revokeToken(as('oscar'), targets),
  }
  for (const [title, change] of Object.entries(changes)) {
    it(`${title} only if the membership has not ended or changed meanwhile`, async () => {
      await setMemberRole(as('olivia'), { subject: 'oscar', role: 'developer' })
      await rejected(change(), 'FORBIDDEN')
      await removeMember(as('olivia'), { subject: 'oscar' })
      await rejected(change(), 'TENANT_NOT_PROVISIONED')
      expect((await audited()).filter(({ actorSubject }) => actorSubject === 'oscar')).to.deep.equal([])
      await storeOwner(fixture.operator(), tenantId, 'oscar')
      await change()
    })
  }

  it('is rejected if the tenant was disabled meanwhile', async () => {
    await setTenantEnabled(fixture.operatorFor(tenantId), { enabled: false })
    await rejected(createApiKey(as('oscar'), { name: 'mine' }), 'TENANT_INACTIVE')
  })

  it('leaves no invitation of an owner who is removed concurrently', async () => {
    const invite = () => createInvitation(as('oscar'), { role: 'owner' })
    const before = Array.from({ length: 3 }, invite)
    const removal = removeMember(as('olivia'), { subject: 'oscar' })
    const results = await Promise.allSettled([...before, removal, ...Array.from({ length: 6 }, invite)])
    for (const result of results) {
      if (result.status === 'rejected')
        await rejected(Promise.reject(result.reason), 'TENANT_NOT_PROVISIONED')
    }
    const { items } = await listMembers(fixture.operatorFor(tenantId))
    expect(items.map(({ subject }) => subject)).to.have.members(['olivia', 'vera'])
    const open = await listInvitations(fixture.operatorFor(tenantId))
    expect(open.map(({ invitation }) => invitation.id)).to.deep.equal([targets.invitationId])
  })
})
