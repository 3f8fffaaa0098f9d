import { expect } from 'chai'
import { listAuditEvents } from '#domain/audit-log/list-audit-events.ts'
import { rotateSigningKey } from '#domain/signing-key/rotate-signing-key.ts'
import { SigningKey } from '#domain/signing-key/signing-key.entity.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { Verification } from '#domain/verification/verification.entity.ts'
import { owner, useFixture } from './fixture.ts'
import { storeApproval, storeOwner, storeVerification } from './history.ts'
import { rejected } from './rejected.ts'

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

  it('of another tenant and unknown ones are not found and not revoked', async () => {
    const { verificationId, jti } = await storeApproval(fixture.operator(), tenantId)
    const other = await createTenant(fixture.operator(), { name: 'Other' })
    await rejected(revokeToken(fixture.operatorFor(other.id), { verificationId }), 'VERIFICATION_NOT_FOUND')
    const denied = await storeVerification(fixture.operator(), tenantId, 'denied')
    for (const unknown of [denied, '01a00000-0000-7000-8000-000000000000', 'nonsense']) {
      await rejected(
        revokeToken(fixture.operatorFor(tenantId), { verificationId: unknown }),
        'VERIFICATION_NOT_FOUND',
      )
    }
    const { tokenId, tokenRevokedAt } = await fixture
      .operator()
      .em.findOneOrFail(Verification, verificationId)
    expect({ tokenId, tokenRevokedAt }).to.deep.equal({ tokenId: jti, tokenRevokedAt: null })
  })

  it('are signed with a new key after a rotation, while the old key is published until its last token expires', async () => {
    const last = await storeApproval(fixture.operator(), tenantId)
    const { kid, retired } = await rotateSigningKey(fixture.operator())
    expect(retired).to.deep.equal([last.kid])
    const old = await fixture.operator().em.findOneOrFail(SigningKey, last.kid)
    // It signs for one more minute, and a token of that minute is valid for 30 days.
    expect(old.publishedUntil).to.deep.equal(new Date(last.expiresAt.getTime() + 60_000))
    fixture.time.now = new Date(start + dayMs)
    expect((await storeApproval(fixture.operator(), tenantId)).kid).to.equal(kid)
  })

  it('signed with the old key by a completion in progress can be verified for their whole lifetime', async () => {
    await rotateSigningKey(fixture.operator())
    const { retired } = await rotateSigningKey(fixture.operator())
    const unused = await fixture.operator().em.findOneOrFail(SigningKey, retired[0]!)
    // It signs for one more minute, until every cached key set has the new key.
    expect(unused.publishedUntil).to.deep.equal(new Date(start + 60_000 + 30 * dayMs))
  })

  it('have one active signing key after five concurrent rotations', async () => {
    const rotated = await Promise.all(Array.from({ length: 5 }, () => rotateSigningKey(fixture.operator())))
    const active = await fixture.operator().em.find(SigningKey, { retiredAt: null })
    expect(active).to.have.length(1)
    expect(rotated.map(({ kid }) => kid)).to.include(active[0]!.kid)
    expect(new Set(rotated.map(({ kid }) => kid))).to.have.property('size', 5)
  })

  it('omit keys that are no longer published from the result of a rotation', async () => {
    const { kid } = await rotateSigningKey(fixture.operator())
    fixture.time.now = new Date(start + 100 * dayMs)
    const { retired } = await rotateSigningKey(fixture.operator())
    expect(retired).to.deep.equal([kid])
  })

  it('have signing keys that are stored encrypted', async () => {
    await rotateSigningKey(fixture.operator())
    const keys = await fixture.operator().em.find(SigningKey, {})
    for (const { encryptedPrivateJwk, publicJwk } of keys) {
      expect(Buffer.from(encryptedPrivateJwk).toString('latin1')).not.to.include('"d"')
      expect(publicJwk).not.to.have.property('d')
    }
  })
})
