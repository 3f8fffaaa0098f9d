import type { JWK } from 'jose'
import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'

const findPublished = statement<{ publicJwk: JWK }>(
  'find-published-keys',
  `select public_jwk as "publicJwk" from signing_key where retired_at is null or published_until > $1
   order by retired_at desc nulls first`,
)

/** The public keys by which unexpired tokens can be checked, the current one first. */
export async function publishedKeys(scope: Scope): Promise<JWK[]> {
  const rows = await findPublished(scope.pool, [scope.now])
  return rows.map(row => row.publicJwk)
}
