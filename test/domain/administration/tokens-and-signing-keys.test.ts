import { expect } from 'chai'
import { listAuditEvents } from '#domain/audit/list-audit-events.ts'
import { rotateSigningKey } from '#domain/signing-key/rotate-signing-key.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { owner, useFixture } from './fixture.ts'
import { storeApproval, storeOwner } from './history.ts'

const start = Date.parse('2026-11-20T12:00:00.000Z')
const dayMs = 24 * 60 * 60 * 1000

describe('age tokens', () => {
  const fixture = useFixture('test')
  let tenantId: string
  beforeEach(async () => {
    fixture.time.now = new Date(start)
    tenantId = (await createTenant(fixture.operator(), { name: 'Shop' })).id
  })

  it('are revoked permanently and keep the time of the first revocation', async () => {
    await storeOwner(fixture.operator(), tenantId)
    const { verificationId, jti } = await storeApproval(fixture.operator(), tenantId)
    const first = await revokeToken(fixture.scope(owner(tenantId)), { verificationId })
    expect(first).to.deep.equal({ verificationId, jti, revokedAt: new Date(start) })
    fixture.time.now = new Date(start + 5_000)
    expect(await revokeToken(fixture.operatorFor(tenantId), { verificationId })).to.deep.equal(first)
    const { items } = await listAuditEvents(fixture.operatorFor(tenantId))
    expect(items.filter(({ target }) => target === verificationId)).to.have.length(1)
    expect(items.find(({ target }) => target === verificationId)).to.deep.include({
      action: 'token.revoke',
      actorKind: 'member',
      actorSubject: 'olivia',
      changes: { jti },
    })
  })

  it('omit keys that are no longer published from the result of a rotation', async () => {
    const { kid } = await rotateSigningKey(fixture.operator())
    fixture.time.now = new Date(start + 100 * dayMs)
    const { retired } = await rotateSigningKey(fixture.operator())
    expect(retired).to.deep.equal([kid])
  })
})
