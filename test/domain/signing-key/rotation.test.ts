import { expect } from 'chai'
import { ensureSigningKey } from '#domain/signing-key/ensure-signing-key.ts'
import { keySetLifetimeSeconds, publishedKeys } from '#domain/signing-key/published-keys.ts'
import { rotateSigningKey } from '#domain/signing-key/rotate-signing-key.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { listSigningKeys } from '#operator/queries/list-signing-keys.ts'
import { storedTokens } from '../../harness/stored-rows.ts'
import { issueToken, readToken } from '../token/issue-token.ts'
import { dayMs, useFixture } from '../verification/fixture.ts'
import { startOne } from '../verification/start-one.ts'
import { afterStatement } from '../verification/with-query.ts'

describe('The signing keys', () => {
  const fixture = useFixture('test')
  let tenantId: string
  beforeEach(async () => {
    tenantId = await fixture.addTenant()
  })

  it('begin with one, however many processes start concurrently', async () => {
    await fixture.rows('delete from signing_key')
    const { pool, cipher, now } = fixture.service()
    await Promise.all(Array.from({ length: 8 }, () => ensureSigningKey(pool, cipher, now)))
    expect(await publishedKids()).to.have.length(1)
  })

  it('are published for the lifetime of a cached key set before they sign, also in running processes', async () => {
    const running = await fixture.openProcess()
    const kidNow = async () => kidOf((await issueToken(fixture, tenantId, true, running)).token)
    const first = await kidNow()
    const { kid, signsFrom, retired } = await rotateSigningKey(fixture.operator())
    expect(signsFrom).to.deep.equal(new Date(fixture.clock().getTime() + keySetLifetimeSeconds * 1000))
    expect(retired).to.deep.equal([first])
    expect(await publishedKids()).to.deep.equal([kid, first])
    expect(await kidNow()).to.equal(first)
    fixture.clock.set(new Date(signsFrom.getTime() - 1))
    expect(await kidNow()).to.equal(first)
    fixture.clock.advance(1)
    expect(await kidNow()).to.equal(kid)
  })

  it('sign one after the other if they are rotated faster than they are published', async () => {
    const kidNow = async () => kidOf((await issueToken(fixture, tenantId, true)).token)
    const first = await kidNow()
    const second = await rotateSigningKey(fixture.operator())
    fixture.clock.advance(10_000)
    const third = await rotateSigningKey(fixture.operator())
    expect(await states()).to.deep.equal(['pending', 'pending', 'active'])
    expect(await kidNow()).to.equal(first)
    fixture.clock.set(second.signsFrom)
    expect(await kidNow()).to.equal(second.kid)
    fixture.clock.set(third.signsFrom)
    expect(await kidNow()).to.equal(third.kid)
    expect(await states()).to.deep.equal(['active', 'retired', 'retired'])
  })

  it('are not published any more once they are reported as compromised, and the next one signs immediately', async () => {
    const { token } = await issueToken(fixture, tenantId, true)
    const leaked = kidOf(token)
    fixture.clock.advance(1_000)
    const rotated = await rotateSigningKey(fixture.operator(), { compromised: leaked })
    expect(rotated).to.deep.include({ signsFrom: fixture.clock(), retired: [] })
    expect(await publishedKids()).to.deep.equal([rotated.kid])
    expect(await states()).to.deep.equal(['active', 'compromised'])
    expect(kidOf((await issueToken(fixture, tenantId, true)).token)).to.equal(rotated.kid)
    const again = await rotateSigningKey(fixture.operator(), { compromised: leaked })
    expect(again.retired).to.deep.equal([rotated.kid])
    expect(await publishedKids()).not.to.include(leaked)
  })

  it('never sign if they are compromised before they begin to, while the current one goes on', async () => {
    const first = kidOf((await issueToken(fixture, tenantId, true)).token)
    const leaked = await rotateSigningKey(fixture.operator())
    fixture.clock.advance(30_000)
    const { kid, signsFrom } = await rotateSigningKey(fixture.operator(), { compromised: leaked.kid })
    expect(signsFrom.getTime()).to.equal(fixture.clock().getTime() + 60_000)
    fixture.clock.set(leaked.signsFrom)
    expect(kidOf((await issueToken(fixture, tenantId, true)).token)).to.equal(first)
    fixture.clock.set(signsFrom)
    expect(kidOf((await issueToken(fixture, tenantId, true)).token)).to.equal(kid)
    expect(await states()).to.deep.equal(['active', 'compromised', 'retired'])
  })

  it('replace a compromised current one immediately, also while another one is waiting to sign', async () => {
    const first = kidOf((await issueToken(fixture, tenantId, true)).token)
    const waiting = await rotateSigningKey(fixture.operator())
    const { kid } = await rotateSigningKey(fixture.operator(), { compromised: first })
    expect(kidOf((await issueToken(fixture, tenantId, true)).token)).to.equal(kid)
    fixture.clock.set(waiting.signsFrom)
    expect(kidOf((await issueToken(fixture, tenantId, true)).token)).to.equal(kid)
  })

  it('stay published until the last token that they signed has expired, the current one first', async () => {
    const { token } = await issueToken(fixture, tenantId, true)
    const old = kidOf(token)
    fixture.clock.advance(dayMs)
    const { kid, retired } = await rotateSigningKey(fixture.operator())
    expect(retired).to.deep.equal([old])
    fixture.clock.advance(29 * dayMs)
    expect(await publishedKids()).to.deep.equal([kid, old])
    fixture.clock.advance(dayMs + keySetLifetimeSeconds * 1000)
    expect(await publishedKids()).to.deep.equal([kid])
  })

  it('stay published for tokens with a longer lifetime than that of the process that rotates, or of later ones', async () => {
    const { token } = await issueToken(fixture, tenantId, true)
    const operator = fixture.operator()
    const shorter = { ...operator, em: operator.em, rules: { ...operator.rules, tokenLifetimeMs: dayMs } }
    const { kid, signsFrom } = await rotateSigningKey(shorter)
    fixture.clock.set(new Date(signsFrom.getTime() + 30 * dayMs - 1))
    expect(await publishedKids()).to.deep.equal([kid, kidOf(token)])
    fixture.clock.advance(1)
    expect(await publishedKids()).to.deep.equal([kid])
  })

  it('stay published for a token that was being signed while they were retired', async () => {
    const one = await startOne(fixture, tenantId)
    const rotating = fixture.operator()
    fixture.clock.advance(1_000)
    const overtaken = afterStatement(fixture.service(), 'load-verification', () => rotateSigningKey(rotating))
    await recordProviderResult(overtaken, one.result('approved'))
    const [token] = await fixture.rows<{ kid: string; expiresAt: number }>(
      `select kid, (extract(epoch from expires_at) * 1000)::float8 as "expiresAt" from ${storedTokens} t`,
    )
    fixture.clock.set(new Date(token!.expiresAt - 1))
    expect(await publishedKids()).to.include(token!.kid)
    fixture.clock.advance(keySetLifetimeSeconds * 1000)
    expect(await publishedKids()).not.to.include(token!.kid)
  })

  it('sign a token for every approval during a rotation', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => startOne(fixture, tenantId)))
    await Promise.all([
      ...all.map(one => recordProviderResult(fixture.service(), one.result('approved', { over18: true }))),
      ...[1, 2, 3].map(() => rotateSigningKey(fixture.operator())),
    ])
    const [tokens] = await fixture.rows<{ count: number }>(
      `select count(*)::int as count from ${storedTokens} t`,
    )
    expect(tokens?.count).to.equal(20)
  })

  it('are stored with an encrypted private key', async () => {
    const [row] = await fixture.rows<{ encrypted: Buffer; publicJwk: Record<string, unknown> }>(
      'select encrypted_private_jwk as encrypted, public_jwk as "publicJwk" from signing_key',
    )
    expect(row?.encrypted.toString('latin1')).not.to.match(/"kty"|"P-256"/)
    expect(row?.publicJwk).not.to.have.property('d')
  })

  /** Newest first. */
  async function states(): Promise<string[]> {
    const keys = await listSigningKeys(fixture.operator())
    return keys.map(({ state }) => state)
  }

  async function publishedKids(): Promise<unknown[]> {
    return (await publishedKeys(fixture.service(), false)).map(({ kid }) => kid)
  }
})

function kidOf(token: string): string {
  return readToken(token).header.kid
}
