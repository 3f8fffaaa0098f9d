import { expect } from 'chai'
import { listAuditEvents } from '#domain/audit-event/list-audit-events.ts'
import { rotateSigningKey } from '#domain/signing-key/rotate-signing-key.ts'
import { SigningKey } from '#domain/signing-key/signing-key.entity.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { Token } from '#domain/token/token.entity.ts'
import { type Administration, openAdministration, owner } from './administration.ts'
import { storeApproval, storeVerification } from './history.ts'
import { refused } from './rejected.ts'

const start = Date.parse('2026-11-20T12:00:00.000Z')
const dayMs = 24 * 60 * 60 * 1000

describe('age tokens', () => {
  let here: Administration
  let tenantId: string
  before(async () => {
    here = await openAdministration()
    tenantId = (await createTenant(here.operator(), { name: 'Shop' })).id
  })
  after(() => here.close())
  beforeEach(() => {
    here.time.now = new Date(start)
  })

  it('are revoked for good, and keep the first moment of it', async () => {
    const { verificationId, jti } = await storeApproval(here.operator(), tenantId)
    const first = await revokeToken(here.scope(owner(tenantId)), { verificationId, tenantId })
    expect(first).to.deep.equal({ verificationId, jti, revokedAt: new Date(start) })
    here.time.now = new Date(start + 5_000)
    expect(await revokeToken(here.operator(), { verificationId })).to.deep.equal(first)
    const { items } = await listAuditEvents(here.operator(), { tenantId })
    expect(items.filter(({ target }) => target === verificationId)).to.have.length(1)
    expect(items.find(({ target }) => target === verificationId)).to.deep.include({
      ...{ action: 'token.revoke', actor: 'olivia', changes: { jti } },
    })
  })

  it('of another tenant, and those that do not exist, are not found and stay valid', async () => {
    const { verificationId, jti } = await storeApproval(here.operator(), tenantId)
    const other = await createTenant(here.operator(), { name: 'Other' })
    await refused(
      revokeToken(here.operator(), { verificationId, tenantId: other.id }),
      'VERIFICATION_NOT_FOUND',
    )
    const denied = await storeVerification(here.operator(), tenantId, 'denied')
    for (const unknown of [denied, '01a00000-0000-7000-8000-000000000000', 'nonsense']) {
      await refused(revokeToken(here.operator(), { verificationId: unknown }), 'VERIFICATION_NOT_FOUND')
    }
    expect((await here.operator().em.findOneOrFail(Token, { jti })).revokedAt).to.equal(null)
  })

  it('are signed with a new key after a rotation, the old one staying until its last token has expired', async () => {
    const last = await storeApproval(here.operator(), tenantId)
    here.time.now = new Date(start - 40 * dayMs)
    const { kid, retired } = await rotateSigningKey(here.operator())
    expect(retired).to.deep.equal([last.kid])
    const old = await here.operator().em.findOneOrFail(SigningKey, last.kid)
    expect(old.publishedUntil).to.deep.equal(last.expiresAt)
    here.time.now = new Date(start + dayMs)
    expect((await storeApproval(here.operator(), tenantId)).kid).to.equal(kid)
  })

  it('that a completion under way still signs with the old key can be verified for their whole life', async () => {
    await rotateSigningKey(here.operator())
    const { retired } = await rotateSigningKey(here.operator())
    const unused = await here.operator().em.findOneOrFail(SigningKey, retired[0]!)
    expect(unused.publishedUntil).to.deep.equal(new Date(start + 30 * dayMs))
  })

  it('have one active key after five rotations at once', async () => {
    const rotated = await Promise.all(Array.from({ length: 5 }, () => rotateSigningKey(here.operator())))
    const active = await here.operator().em.find(SigningKey, { retiredAt: null })
    expect(active).to.have.length(1)
    expect(rotated.map(({ kid }) => kid)).to.include(active[0]!.kid)
    expect(new Set(rotated.map(({ kid }) => kid))).to.have.property('size', 5)
  })

  it('are not told of keys that are no longer published', async () => {
    const { kid } = await rotateSigningKey(here.operator())
    here.time.now = new Date(start + 100 * dayMs)
    const { retired } = await rotateSigningKey(here.operator())
    expect(retired).to.deep.equal([kid])
  })

  it('have signing keys that are stored encrypted', async () => {
    await rotateSigningKey(here.operator())
    const keys = await here.operator().em.find(SigningKey, {})
    for (const { encryptedPrivateJwk, publicJwk } of keys) {
      expect(Buffer.from(encryptedPrivateJwk).toString('latin1')).not.to.include('"d"')
      expect(publicJwk).not.to.have.property('d')
    }
  })
})
