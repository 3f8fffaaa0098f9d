import { nullable, text, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { OperatorScope } from '../scope.ts'

const beforeAll = '00000000-0000-0000-0000-000000000000'

/**
 * Stores the revocation of a compromised key's tokens with each verification, which lists it as a change. They are revoked
 * without it. It reads all verifications, some hundreds at a time, and can be repeated. Throws `DATABASE_ERROR`.
 */
export async function markCompromised({ pool }: OperatorScope, kid: string): Promise<void> {
  for (let after: string | null = beforeAll; after !== null; ) {
    const [batch] = await markCompromisedTokens(pool, { kid, after })
    after = batch!.last
  }
}

export const markCompromisedTokens = statement({
  name: 'mark-compromised-tokens',
  // Few in a transaction: a reader of the changes of 256 transactions sorts them for each page.
  text: `with batch as materialized (
     select id, token_signer from verification where id > :after order by id limit 500
   ), marked as (
     update verification v set token_revoked_at = k.compromised_at
     from batch b join token_signer s on s.id = b.token_signer join signing_key k on k.kid = s.kid
     where v.id = b.id and k.kid = :kid and k.compromised_at is not null and v.token_revoked_at is null
   )
   select max(id::text)::uuid as last from batch`,
  values: { kid: text, after: uuid },
  row: { last: nullable(uuid) },
})
