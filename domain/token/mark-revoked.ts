import type { EntityManager } from '@mikro-orm/postgresql'
import { arrayOf, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { inTransaction } from '../database/transaction.ts'
import { tokenExpiry, tokenExpiryDay } from '../signing-key/age-token.ts'

/**
 * Marks the tokens of a tenant's verifications as revoked in their status lists, within a transaction that revokes or
 * deletes them. Expired ones need no mark. Throws `DATABASE_ERROR`.
 */
export async function markRevoked(
  em: EntityManager,
  { tenantId, now }: { tenantId: string; now: Date },
  ids: readonly string[],
): Promise<void> {
  const values = { tenantId, verificationIds: [...ids], now }
  await addRevokedTokens(inTransaction(em), values)
}

export const addRevokedTokens = statement({
  name: 'add-revoked-tokens',
  text: `insert into revoked_token (signer, status_index, expires_on)
   select v.token_signer, v.token_status_index, ${tokenExpiryDay}
   from verification v join token_signer s on s.id = v.token_signer
   where v.tenant_id = :tenantId and v.id = any (:verificationIds)
     and ${tokenExpiry} > :now
   on conflict do nothing`,
  values: { tenantId: uuid, verificationIds: arrayOf(uuid), now: timestamp },
  row: {},
})
