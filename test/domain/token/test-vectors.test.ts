import { expect } from 'chai'
import { validateToken } from '#domain/token/validate-token.ts'
import { type TokenVector, tokenVectors as vectors } from '../../clients/test-vectors.ts'
import { type Fixture, useFixture } from '../verification/fixture.ts'
import { readToken } from './issue-token.ts'

describe('The test vectors of tokens', () => {
  const fixture = useFixture()
  before(async () => {
    await addSigners(fixture, vectors)
  })

  it('have unique names, and each reason', () => {
    expect(new Set(vectors.map(({ name }) => name)).size).to.equal(vectors.length)
    expect(new Set(vectors.map(({ reason }) => reason)).size).to.equal(11)
    for (const { verdict, reason } of vectors) {
      expect(verdict === 'valid').to.equal(reason === 'OK')
      expect(verdict === 'undecided').to.equal(reason === 'STATUS_LIST_UNUSABLE')
    }
  })

  for (const { name, online, token, audience, now } of vectors) {
    it(`${name}: ${online} online`, async () => {
      fixture.clock.set(new Date(now))
      await store(fixture, online === 'TOKEN_NOT_FOUND' ? vectors[0]! : { token, online })
      const isOk = online === 'OK'
      expect(await validateToken(fixture.tenant(audience), token)).to.deep.equal({
        valid: isOk,
        over18: isOk,
        reason: online,
      })
    })
  }
})

/** The keys of the first vector, with what their tokens have in common. */
async function addSigners(fixture: Fixture, [vector]: TokenVector[]): Promise<void> {
  for (const [at, key] of vector!.jwks.keys.entries()) {
    const { kid } = key
    await fixture.rows(
      `insert into signing_key (kid, public_jwk, encrypted_private_jwk, created_at, signs_from, retired_at)
       values ($1, $2, '', now(), now(), now())`,
      [kid, key],
    )
    await fixture.rows(
      `insert into token_signer (id, kid, issuer, lifetime_seconds, status_key) values ($1, $2, $3, $4, '')`,
      [at + 1, kid, vector!.issuer, 30 * 86_400],
    )
  }
}

/** Stores the verification that this token was issued for, in place of the one before. */
async function store(
  fixture: Fixture,
  { token, online }: Pick<TokenVector, 'token' | 'online'>,
): Promise<void> {
  const { header, claims } = readToken(token)
  const { sub, aud, jti, iat, over18, status } = claims
  const { idx } = (status as { status_list: { idx: number } }).status_list
  await fixture.rows('delete from verification')
  await fixture.rows(
    `insert into verification (id, tenant_id, status, provider_session_id, completed_at, over18, token_id, token_signer,
       token_status_index, token_signature, token_revoked_at)
     select $1, $2, 'approved', 'session', to_timestamp($3), $4, $5, id, $6, $7, $8 from token_signer where kid = $9`,
    [
      sub,
      aud,
      iat,
      over18,
      jti,
      idx,
      Buffer.from(token.split('.')[2]!, 'base64url'),
      online === 'TOKEN_REVOKED' ? fixture.clock() : null,
      header.kid,
    ],
  )
}
