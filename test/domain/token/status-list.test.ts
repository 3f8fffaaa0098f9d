import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { expect } from 'chai'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { deleteTenant } from '#domain/deletion/delete-tenant.ts'
import { eraseVerification } from '#domain/deletion/erase-verification.ts'
import { DomainError } from '#domain/errors.ts'
import { forTenant } from '#domain/scope.ts'
import { publishedKeys } from '#domain/signing-key/published-keys.ts'
import { rotateSigningKey } from '#domain/signing-key/rotate-signing-key.ts'
import { deleteExpiredRevocations } from '#domain/token/delete-expired-revocations.ts'
import { getStatusList } from '#domain/token/get-status-list.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { dayMs, type Process, useFixture } from '../verification/fixture.ts'
import { type Issued, issueToken, readToken } from './issue-token.ts'

/** How long a process may not know of a revocation. */
const cachedMs = 5_000

describe('A status list', () => {
  const fixture = useFixture()
  let other: Process
  let tenantId: string
  before(async () => {
    other = await fixture.openProcess()
  })
  beforeEach(async () => {
    tenantId = await fixture.addTenant()
  })

  const issue = () => issueToken(fixture, tenantId, true)
  const fetchListOf = ({ token }: Issued, by: Process = fixture) =>
    getStatusList(by.service(), numberOf(referenceOf(token).uri))

  /** Whether a token is revoked in its list, as it is for a process that has it in no cache. */
  async function isRevoked(one: Issued, by: Process = fixture): Promise<boolean> {
    fixture.clock.advance(cachedMs)
    const { idx } = referenceOf(one.token)
    const bits = bitsOf(await fetchListOf(one, by))
    return (bits[idx >> 3]! & (1 << (idx & 7))) !== 0
  }

  it('is signed by the key that signs now, names itself, and is valid three times as long as it may be cached', async () => {
    const one = await issue()
    const { uri } = referenceOf(one.token)
    expect(uri).to.match(/^https:\/\/age\.example\.com\/tokens\/status-lists\/\d+$/)
    fixture.clock.advance(cachedMs)
    const list = await fetchListOf(one)
    const keys = createLocalJWKSet({ keys: await publishedKeys(fixture.service(), false) })
    const { payload, protectedHeader } = await jwtVerify(list, keys, { currentDate: fixture.clock() })
    expect(protectedHeader).to.deep.equal({
      alg: 'ES256',
      kid: readToken(one.token).header.kid,
      typ: 'statuslist+jwt',
    })
    const iat = Math.floor(fixture.clock().getTime() / 1000)
    const { status_list, ...claims } = payload as { status_list: { bits: number; lst: string } }
    expect(claims).to.deep.equal({
      iss: 'https://age.example.com',
      sub: uri,
      iat,
      exp: iat + 900,
      ttl: 300,
    })
    expect(status_list).to.have.all.keys('bits', 'lst')
    expect(status_list.bits).to.equal(1)
    expect(bitsOf(list)).to.have.length(2 ** 17 / 8)
  })

  const revocations: [title: string, revoke: (one: Issued) => Promise<unknown>][] = [
    [
      'a member or the operator revokes it',
      ({ verificationId }) => revokeToken(forTenant(fixture.operator(), tenantId), { verificationId }),
    ],
    [
      'the provider declines after its approval',
      ({ one }) =>
        recordProviderResult(fixture.service(), one.result('declined', { decidedAt: fixture.clock() })),
    ],
    [
      'its verification is erased',
      ({ verificationId }) => eraseVerification(fixture.operator(), { verificationId, skipProvider: true }),
    ],
  ]
  for (const [title, revoke] of revocations) {
    it(`has a token as revoked in every process once ${title}, and no other`, async () => {
      const kept: Issued[] = []
      for (let count = 0; count < 3; count++) kept.push(await issue())
      const one = await issue()
      expect(await isRevoked(one)).to.equal(false)
      await revoke(one)
      for (const by of [fixture, other]) expect(await isRevoked(one, by)).to.equal(true)
      for (const each of kept) expect(await isRevoked(each)).to.equal(false)
    })
  }

  it('has all tokens of a deleted tenant as revoked, and none of another one', async () => {
    const [mine, theirs] = [await issue(), await issueToken(fixture, await fixture.addTenant(), true)]
    const deletion = { name: 'Tenant', skipProvider: true }
    await deleteTenant(forTenant(fixture.operator(), tenantId), deletion)
    expect(await isRevoked(mine)).to.equal(true)
    expect(await isRevoked(theirs)).to.equal(false)
  })

  it('has all tokens of a compromised key as revoked, and is signed by its successor, whose tokens have another list', async () => {
    const one = await issue()
    expect(await isRevoked(one)).to.equal(false)
    const { kid } = await rotateSigningKey(fixture.operator(), {
      compromised: readToken(one.token).header.kid,
    })
    expect(await isRevoked(one)).to.equal(true)
    expect(decodeProtectedHeader(await fetchListOf(one)).kid).to.equal(kid)
    const next = await issue()
    expect(referenceOf(next.token).uri).not.to.equal(referenceOf(one.token).uri)
    expect(await isRevoked(next)).to.equal(false)
  })

  it('is signed every five seconds at most, however many ask for it', async () => {
    const one = await issue()
    fixture.clock.advance(cachedMs)
    const list = await fetchListOf(one)
    fixture.clock.advance(cachedMs - 1)
    for (const same of await Promise.all([fetchListOf(one), fetchListOf(one)])) expect(same).to.equal(list)
    fixture.clock.advance(1)
    const renewed = await fetchListOf(one)
    expect(renewed).not.to.equal(list)
    expect(bitsOf(renewed)).to.deep.equal(bitsOf(list))
  })
})

describe('The first status list', () => {
  const fixture = useFixture('test')
  let tenantId: string
  beforeEach(async () => {
    tenantId = await fixture.addTenant()
  })

  const issue = () => issueToken(fixture, tenantId, true)
  const fetchList = (number: number) => getStatusList(fixture.service(), number)

  it('has the number 1, and no token is revoked in it', async () => {
    expect(referenceOf((await issue()).token).uri).to.match(/\/tokens\/status-lists\/1$/)
    expect(bitsOf(await fetchList(1))).to.deep.equal(Buffer.alloc(2 ** 17 / 8))
  })

  it('is at most 30 KiB, whichever tokens are revoked', async () => {
    await issue()
    await fixture.rows(
      `insert into revoked_token (signer, status_index, expires_on)
       select 1, n, '2026-12-24' from generate_series(0, 131071) n where get_bit(sha256((n / 256)::text::bytea), n % 256) = 1`,
    )
    const list = await fetchList(1)
    expect(list.length).to.be.within(20_000, 30 * 1024)
    expect(bitsOf(list).subarray(0, 32)).to.deep.equal(createHash('sha256').update('0').digest())
  })

  it('is unknown if no token can refer to it, also before the first token', async () => {
    const unknown = async (number: number) => {
      const error = await fetchList(number).catch((failure: unknown) => failure)
      expect(error).to.be.instanceOf(DomainError).and.to.include({ code: 'ROUTE_NOT_FOUND' })
    }
    await unknown(1)
    await issue()
    expect(await fetchList(1)).to.be.a('string')
    for (const number of [2, 32_768, 32_769, 999_999_999]) await unknown(number)
    await fixture.rows('update token_signer set status_indexes = 131073')
    expect(decodeJwt(await fetchList(32_769)).sub).to.match(/\/tokens\/status-lists\/32769$/)
  })

  it('drops a token on the day after its expiry', async () => {
    await revokeToken(forTenant(fixture.operator(), tenantId), await issue())
    fixture.clock.advance(30 * dayMs)
    expect(await deleteExpiredRevocations(fixture.service())).to.equal(0)
    fixture.clock.advance(dayMs)
    expect(await deleteExpiredRevocations(fixture.service())).to.equal(1)
    expect(await fixture.rows('select from revoked_token')).to.deep.equal([])
  })
})

function referenceOf(token: string): { idx: number; uri: string } {
  return (readToken(token).claims.status as { status_list: { idx: number; uri: string } }).status_list
}

function numberOf(uri: string): number {
  return Number(uri.split('/').at(-1))
}

function bitsOf(list: string): Buffer {
  const { status_list } = decodeJwt<{ status_list: { lst: string } }>(list)
  return inflateSync(Buffer.from(status_list.lst, 'base64url'))
}
