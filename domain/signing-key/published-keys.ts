import type { JWK } from 'jose'
import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'

/** An EC public key (RFC 7517). */
export type PublishedKey = Required<Pick<JWK, 'kty' | 'crv' | 'x' | 'y' | 'kid' | 'use' | 'alg'>>

// Checks tokens too: one that was being signed while its key was retired can outlive `published_until`.
const findPublished = statement<{ publicJwk: PublishedKey }>(
  'find-published-keys',
  `select public_jwk as "publicJwk" from signing_key k
   where retired_at is null or published_until > $1
     or exists (select from token t where t.kid = k.kid and t.expires_at > $1)
   order by retired_at desc nulls first`,
)

/** The public keys that verify unexpired tokens, active key first. */
export async function publishedKeys(scope: Scope): Promise<PublishedKey[]> {
  const rows = await findPublished(scope.pool, [scope.now])
  return rows.map(row => row.publicJwk)
}
