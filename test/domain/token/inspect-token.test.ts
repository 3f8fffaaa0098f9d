import { expect } from 'chai'
import { eraseVerification } from '#domain/deletion/erase-verification.ts'
import { inspectToken } from '#domain/inspection/inspect-token.ts'
import { forTenant } from '#domain/scope.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { validateToken } from '#domain/token/validate-token.ts'
import { dayMs, useFixture } from '../verification/fixture.ts'
import { issueToken, readToken } from './issue-token.ts'

describe('The inspection of a token', () => {
  const fixture = useFixture()
  let tenantId: string
  before(async () => {
    tenantId = await fixture.addTenant()
  })

  const unknown = { verificationId: null, expiresAt: null, revokedAt: null }

  /** The inspection, without its message. Its verdict is that of a validation. */
  async function inspect(token: string, by = tenantId) {
    const { message, ...inspected } = await inspectToken(fixture.tenant(by), { token })
    const { valid, over18, reason } = await validateToken(fixture.tenant(by), token.trim())
    expect(inspected).to.include({ valid, over18, reason: reason === 'OK' ? null : reason })
    expect(message).to.match(/^[A-Z].+\.$/)
    return inspected
  }

  it('shows what it says, whose it is, and until when it is valid', async () => {
    const { token, verificationId } = await issueToken(fixture, tenantId, true)
    const { header, claims } = readToken(token)
    const expiresAt = new Date(Number(claims.exp) * 1000)
    const expected = {
      valid: true,
      over18: true,
      reason: null,
      header,
      claims,
      verificationId,
      expiresAt,
      revokedAt: null,
    }
    expect(await inspect(token)).to.deep.equal(expected)
    expect(await inspect(` ${token}\n`)).to.deep.equal(expected)
  })

  it('shows why it is not valid: a minor, a revocation, its expiry', async () => {
    const minor = await issueToken(fixture, tenantId, false)
    expect(await inspect(minor.token)).to.deep.include({
      reason: 'UNDERAGE_OR_UNKNOWN',
      verificationId: minor.verificationId,
    })
    const { token, verificationId } = await issueToken(fixture, tenantId, true)
    const revokedAt = fixture.clock()
    await revokeToken(forTenant(fixture.operator(), tenantId), { verificationId })
    expect(await inspect(token)).to.deep.include({ reason: 'TOKEN_REVOKED', verificationId, revokedAt })
    const late = await issueToken(fixture, tenantId, true)
    fixture.clock.advance(30 * dayMs)
    expect(await inspect(late.token)).to.deep.include({
      reason: 'TOKEN_EXPIRED',
      verificationId: late.verificationId,
    })
  })

  it('is the same for the token of another tenant as for an unknown one: what the text says, and nothing else', async () => {
    const otherTenant = await fixture.addTenant()
    const { token, verificationId } = await issueToken(fixture, otherTenant, true)
    const theirs = await inspect(token)
    const { header, claims } = readToken(token)
    const notFound = { valid: false, over18: false, reason: 'TOKEN_NOT_FOUND', header, claims, ...unknown }
    expect(theirs).to.deep.equal(notFound)
    const messageOf = async () => (await inspectToken(fixture.tenant(tenantId), { token })).message
    const message = await messageOf()
    await eraseVerification(fixture.operator(), { verificationId, skipProvider: true })
    expect(await inspect(token)).to.deep.equal(theirs)
    expect(await messageOf()).to.equal(message)
    const own = await issueToken(fixture, tenantId, true)
    const altered = `${own.token.slice(0, -6)}AAAAAA`
    expect(await inspect(altered)).to.deep.equal({ ...notFound, ...readToken(own.token) })
  })

  it('says why a text is not a token of the tenant: cut off, unsigned, changed, of another service or tenant', async () => {
    const { token } = await issueToken(fixture, tenantId, false)
    const { header, claims } = readToken(token)
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const signature = token.split('.')[2]!
    const forge = (changes: object, alg = 'ES256') =>
      `${encode({ ...header, alg })}.${encode({ ...claims, ...changes })}.${signature}`
    const messageOf = async (text: string) =>
      (await inspectToken(fixture.tenant(tenantId), { token: text })).message
    const expected: [text: string, message: RegExp][] = [
      ['x', /^This is not a JSON Web Token/],
      [token.slice(0, 60), /^The token is cut off: it has 1 of its 3 parts/],
      [token.slice(0, -20), /^The token is cut off: its signature has 66 of 86 characters/],
      [`${token}AAAA`, /^Its signature has 90 characters/],
      [token.replace('.', '.A'), /^Its claims can't be read/],
      [forge({}, 'none'), /^It is not signed: its header says alg none/],
      [forge({}, 'HS256'), /^Its header says alg HS256, and this service signs with ES256/],
      [forge({ over18: true }), /^It was changed after it was issued: over18\. Don't accept it\.$/],
      [forge({ over18: true, admin: 1 }), /issued: over18, admin\./],
      [`${token.slice(0, -6)}AAAAAA`, /^Its signature was changed/],
      [
        forge({ iss: 'https://other.example' }),
        /^Don't accept it here: .* It names the issuer https:\/\/other\.example, and this/,
      ],
      [forge({ iss: undefined }), /^Don't accept it\. It names no issuer/],
      [forge({ aud: 'another' }), /^Don't accept it here: .* It names the tenant another, and this one is/],
      [forge({ sub: tenantId }), /^Don't accept it: .* isn't stored/],
    ]
    for (const [text, message] of expected) expect(await messageOf(text)).to.match(message)
  })

  it('works for any text', async () => {
    const notFound = { valid: false, over18: false, reason: 'TOKEN_NOT_FOUND', header: null, claims: null }
    for (const text of ['', 'x', 'a.b.c', '..', 'bnVsbA.W10.MQ', '\0', `${'x'.repeat(8_000)}`])
      expect(await inspect(text), text).to.deep.equal({ ...notFound, ...unknown })
  })
})
