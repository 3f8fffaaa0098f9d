import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { rowsOf, tables } from '../database/tables.ts'
import { dayOf } from '../usage/usage-period.ts'
import { boundsOf } from '../verification/verification-lookup.ts'

/** The UTC day on which the token of `verification v` expires, in SQL; `token_signer s` is its signer. */
export const tokenExpiryDay = `((v.completed_at + make_interval(secs => s.lifetime_seconds)) at time zone 'UTC')::date`

/**
 * Marks the tokens of a tenant's verifications as revoked in their status lists, within a transaction that revokes or
 * deletes them. Expired ones need no mark. Throws `DATABASE_ERROR`.
 */
export async function listAsRevoked(
  em: EntityManager,
  { tenantId, now }: { tenantId: string; now: Date },
  ids: readonly string[],
): Promise<void> {
  const { firstId, lastId } = boundsOf(ids.map(verificationId => ({ verificationId })))
  const expiryDay = sql<string>`${sql.raw(tokenExpiryDay)}`
  await rowsOf(
    tables(em)
      .insertInto('revoked_token')
      .columns(['signer', 'status_index', 'expires_on'])
      .expression(db =>
        db
          .selectFrom('verification as v')
          .innerJoin('token_signer as s', 's.id', 'v.token_signer')
          .select(['v.token_signer', 'v.token_status_index', expiryDay.as('expires_on')])
          .where('v.tenant_id', '=', tenantId)
          .where('v.id', 'in', [...ids])
          .where('v.id', '>=', firstId)
          .where('v.id', '<=', lastId)
          .where(expiryDay, '>=', dayOf(now)),
      )
      .onConflict(conflict => conflict.doNothing()),
  )
}
