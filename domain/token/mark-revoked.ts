import { type EntityManager, raw, sql } from '@mikro-orm/postgresql'
import { tokenExpiryDay } from '../signing-key/age-token.ts'
import { dayOf } from '../usage/usage-period.ts'
import { toIdBounds } from '../verification/several-verifications.ts'

/**
 * Marks the tokens of a tenant's verifications as revoked in their status lists, within a transaction that revokes or
 * deletes them. Expired ones need no mark. Throws `DATABASE_ERROR`.
 */
export async function markRevoked(
  em: EntityManager,
  { tenantId, now }: { tenantId: string; now: Date },
  ids: readonly string[],
): Promise<void> {
  const { firstId, lastId } = toIdBounds(ids)
  const expiryDay = raw(tokenExpiryDay)
  await em.execute(sql`insert into revoked_token (signer, status_index, expires_on)
    select v.token_signer, v.token_status_index, ${expiryDay}
    from verification v join token_signer s on s.id = v.token_signer
    where v.tenant_id = ${tenantId} and v.id in (${ids}) and v.id between ${firstId} and ${lastId}
      and ${expiryDay} >= ${dayOf(now)}
    on conflict do nothing`)
}
