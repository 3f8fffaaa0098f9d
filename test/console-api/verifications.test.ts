import { expect } from 'chai'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { errorOf } from './call.ts'
import { type ConsoleServer, useConsoleServer } from './console-server.ts'
import { addTestTenant, addVerification, type TestTenant } from './tenants.ts'

describe('verifications in the console', () => {
  const server = useConsoleServer()
  let tenant: TestTenant
  let client: Awaited<ReturnType<ConsoleServer['client']>>
  const noon = new Date('2026-11-20T12:00:00.000Z')
  const minutesBefore = (minutes: number) => new Date(noon.getTime() - minutes * 60_000)
  beforeEach(async () => {
    tenant = await addTestTenant(server)
    client = await server.client(tenant.viewer)
    await server.database.orm.em.fork().execute('delete from open_verification')
    await server.database.orm.em.fork().execute('delete from verification')
  })

  async function addMany(count: number): Promise<string[]> {
    const ids = []
    for (let age = 0; age < count; age++) {
      ids.push(await addVerification(server, tenant.tenantId, { createdAt: minutesBefore(age) }))
    }
    return ids
  }

  it('are listed newest first, with times in milliseconds', async () => {
    const ids = await addMany(3)
    const { items, nextCursor } = await client.verifications.list.query()
    expect(items.map(item => item.verificationId)).to.deep.equal(ids)
    expect(items[1]).to.deep.equal({
      verificationId: ids[1],
      status: 'pending',
      confidence: null,
      over18: null,
      completedAt: null,
      tokenRevokedAt: null,
      reason: null,
      createdAt: '2026-11-20T11:59:00.000Z',
    })
    expect(nextCursor).to.equal(null)
  })

  it('show the claims of a token to every member, and the token itself to those who may use it', async () => {
    const { verificationId, jwt, owner, developer, viewer } = await addTestTenant(server)
    const { kid } = decodeProtectedHeader(jwt)
    const claims = decodeJwt<{ jti: string }>(jwt)
    expect(claims).to.include({ sub: verificationId, over18: true })
    for (const subject of [owner, developer, viewer]) {
      const { token } = await (await server.client(subject)).verifications.get.query({ verificationId })
      expect(token).to.deep.include({ kid, claims, jwt: subject === viewer ? null : jwt })
    }
    const authorization = `Bearer ${await server.signIn.sign({ sub: viewer })}`
    const input = encodeURIComponent(JSON.stringify({ verificationId }))
    const response = await server.fetch(`verifications.get?input=${input}`, { headers: { authorization } })
    expect(response.status).to.equal(200)
    const text = await response.text()
    expect(text).to.include(claims.jti).and.not.to.include(jwt.split('.')[2])
  })

  it('include their timeline and token, and show a revocation immediately', async () => {
    const { verificationId, tenantId, owner, jwt } = await addTestTenant(server)
    const asOwner = await server.client(owner)
    const found = await asOwner.verifications.get.query({ verificationId })
    const approved = { verificationId, status: 'approved', confidence: 0.9 }
    const at = '2026-11-20T12:00:00.000Z'
    const [createdAt, completedAt] = [at, at]
    expect(found).to.deep.include({ ...approved, over18: true, createdAt, completedAt, tokenRevokedAt: null })
    const reported = { code: null, reasonCode: null, attempt: null, applied: true }
    const [created, approval] = ['The session was created', 'The provider approved the verification']
    expect(found.timeline).to.deep.equal([
      { at, status: 'pending', source: 'service', description: created, ...reported },
      { at, status: 'approved', source: 'provider', description: approval, ...reported },
    ])
    expect(found.hasWebhook).to.equal(null)
    expect(found.token).to.deep.include({ jwt, over18: true, issuedAt: at, revokedAt: null })
    expect(found.token?.expiresAt).to.equal('2026-12-20T12:00:00.000Z')
    const revoked = await asOwner.tokens.revoke.mutate({ verificationId })
    expect(revoked).to.deep.equal({ verificationId, jti: found.token?.jti, revokedAt: at })
    server.time.now = new Date('2026-11-20T12:00:01.000Z')
    expect(await asOwner.tokens.revoke.mutate({ verificationId })).to.deep.equal(revoked)
    server.time.now = noon
    const shown = await asOwner.verifications.get.query({ verificationId })
    expect(shown).to.deep.include({ ...approved, over18: null, tokenRevokedAt: at })
    expect(shown.token?.revokedAt).to.equal(at)
    const { items } = await asOwner.verifications.list.query({ over18: 'revoked' })
    expect(items).to.have.length(1)
    expect(items[0]).to.deep.include({ ...approved, over18: null, tokenRevokedAt: at })
    expect((await asOwner.verifications.list.query({ over18: 'yes' })).items).to.deep.equal([])
    const tokenless = await addVerification(server, tenantId)
    const response = await asOwner.tokens.revoke
      .mutate({ verificationId: tokenless })
      .catch(error => error.data)
    expect(response).to.include({ error: 'VERIFICATION_NOT_FOUND', httpStatus: 404 })
  })

  it('are erased by an owner, with a receipt that is made again, and are found nowhere afterwards', async () => {
    const { verificationId, tenantId, owner } = await addTestTenant(server)
    const kept = await addVerification(server, tenantId)
    const asOwner = await server.client(owner)
    const { receipt, ...erased } = await asOwner.verifications.erase.mutate({ verificationId })
    const at = noon.toISOString()
    expect(erased).to.deep.equal({
      verificationId,
      erasedAt: at,
      erasedBy: 'member',
      deleted: { verifications: 1, tokens: 1, deliveries: 0, idempotencyKeys: 0 },
      session: { state: 'queued', at, place: 1 },
    })
    expect(decodeJwt(receipt)).to.deep.include({ aud: tenantId, ...erased })
    expect(receipt).not.to.include(owner)
    for (const call of [
      () => asOwner.verifications.get.query({ verificationId }),
      () => asOwner.tokens.revoke.mutate({ verificationId }),
    ])
      expect(await errorOf(call())).to.include({ error: 'VERIFICATION_NOT_FOUND', httpStatus: 404 })
    for (const search of [undefined, verificationId.slice(-8)]) {
      const { items } = await asOwner.verifications.list.query({ search })
      const expected = search === undefined ? [kept] : []
      expect(items.map(item => item.verificationId)).to.deep.equal(expected)
    }
    const { items } = await asOwner.audit.list.query({ action: 'verification.erase' })
    expect(items).to.have.length(1)
    const { auditEventId, changes } = items[0]!
    expect(changes).to.deep.equal({ ...erased.deleted, session: 'queued' })
    for (const named of [{ verificationId }, { auditEventId }])
      expect(await asOwner.verifications.receipt.query(named)).to.deep.include(erased)
    const others = await server.client((await addTestTenant(server)).owner)
    for (const [named, error] of [
      [{ verificationId }, 'VERIFICATION_NOT_FOUND'],
      [{ auditEventId }, 'INVALID_PARAMETERS'],
    ] as const)
      expect(await errorOf(others.verifications.receipt.query(named))).to.include({ error })
  })
})
