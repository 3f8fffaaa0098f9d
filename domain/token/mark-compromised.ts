import { nullable, text, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { OperatorScope } from '../scope.ts'
import { takeNumbers } from '../verification/change-numbers.ts'
import { countRevoked } from '../verification/completion-counts.ts'

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
  text: `with batch as materialized (
     select id, tenant_id, token_signer, token_revoked_at from verification where id > :after order by id limit 500
   ), marked as materialized (
     select b.id, b.tenant_id, k.compromised_at from batch b
       join token_signer s on s.id = b.token_signer join signing_key k on k.kid = s.kid
     where k.kid = :kid and k.compromised_at is not null and b.token_revoked_at is null
   ), numbered as materialized (
     ${takeNumbers('select tenant_id, count(*) from marked group by 1')}
   ), places as materialized (
     select id, compromised_at, last + 1 - row_number() over (partition by tenant_id) as change
     from marked join numbered using (tenant_id)
   ), changed as (
     update verification v set token_revoked_at = p.compromised_at, change = p.change
     from places p where v.id = p.id and v.token_revoked_at is null
     returning v.tenant_id, v.completed_at, v.token_signer, 'signing_key' as revoked_by
   ), counted as (
     ${countRevoked('changed')}
   )
   select max(id::text)::uuid as last from batch`,
  values: { kid: text, after: uuid },
  row: { last: nullable(uuid) },
})
