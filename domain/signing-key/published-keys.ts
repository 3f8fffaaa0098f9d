import type { JWK } from 'jose'
import { boolean, jsonOf, timestamp } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'

/** How long clients may cache the published keys. A new key is published for this long before it signs. */
export const keySetLifetimeSeconds = 60

/** An EC public key (RFC 7517). */
export type PublishedKey = Required<Pick<JWK, 'kty' | 'crv' | 'x' | 'y' | 'kid' | 'use' | 'alg'>>

/** The public keys that verify unexpired tokens of live tenants, or of test tenants, newest first, including a new key that does not sign yet. */
export async function publishedKeys({ pool, now }: Scope, test: boolean): Promise<PublishedKey[]> {
  const rows = await findPublishedKeys(pool, { now, test })
  return rows.map(row => row.publicJwk)
}

// `published_until` is computed with the token lifetime of the process that rotated the key; others may have a longer one.
export const findPublishedKeys = statement({
  name: 'find-published-keys',
  text: `select public_jwk as "publicJwk" from signing_key k
   where test = :test and compromised_at is null and (retired_at is null or published_until > :now
     or exists (select from token_signer s where s.kid = k.kid
       and k.retired_at + make_interval(secs => s.lifetime_seconds) > :now))
   order by retired_at desc nulls first`,
  values: { now: timestamp, test: boolean },
  row: { publicJwk: jsonOf<PublishedKey>() },
})
