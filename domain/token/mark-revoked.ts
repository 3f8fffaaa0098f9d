import type { EntityManager } from '@mikro-orm/postgresql'
import { arrayOf, text, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { inTransaction } from '../database/transaction.ts'
import { tokenExpiry, tokenExpiryDay } from '../signing-key/age-token.ts'
import { countRevoked, type Revoker } from '../verification/completion-counts.ts'

/**
 * Marks the tokens of a tenant's verifications as revoked in their status lists, within a transaction that revokes or
 * deletes them, and counts those that were not revoked before. Expired ones need no mark, and a deletion doesn't revoke them.
 * Throws `DATABASE_ERROR`.
 */
export async function markRevoked(
  em: EntityManager,
  { tenantId, now, by }: { tenantId: string; now: Date; by: Revoker },
  ids: readonly string[],
): Promise<void> {
  const values = { tenantId, verificationIds: [...ids], now, by }
  await addRevokedTokens(inTransaction(em), values)
}

export const addRevokedTokens = statement({
  name: 'add-revoked-tokens',
  text: `with revoked as materialized (
     select v.tenant_id, v.completed_at, v.token_signer, v.token_status_index, v.token_revoked_at, :by as revoked_by,
       ${tokenExpiryDay} as expires_on, ${tokenExpiry} > :now as is_valid
     from verification v join token_signer s on s.id = v.token_signer
     where v.tenant_id = :tenantId and v.id = any (:verificationIds)
   ), listed as (
     insert into revoked_token (signer, status_index, expires_on)
     select token_signer, token_status_index, expires_on from revoked where is_valid
     on conflict do nothing
   )
   ${countRevoked(`(select * from revoked where token_revoked_at is null and (is_valid or revoked_by <> 'erasure'))`)}`,
  values: { tenantId: uuid, verificationIds: arrayOf(uuid), now: timestamp, by: text },
  row: {},
})
