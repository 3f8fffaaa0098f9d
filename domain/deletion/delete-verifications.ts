import type { EntityManager } from '@mikro-orm/postgresql'
import { int, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { inTransaction } from '../database/transaction.ts'
import { markRevoked } from '../token/mark-revoked.ts'
import { IdempotencyKey } from '../verification/idempotency-key.entity.ts'
import { OpenVerification } from '../verification/open-verification.entity.ts'
import { Verification } from '../verification/verification.entity.ts'
import { VerificationOutcome } from '../verification/verification-outcome.entity.ts'
import { verificationStatuses } from '../verification-status.ts'
import { Delivery } from '../webhook/delivery.entity.ts'

/**
 * Deletes a tenant's verifications with everything that belongs to them, except for the counts of its usage and the marks
 * that revoke their tokens: within a transaction, which has locked their rows, so that none of them is completed meanwhile.
 * Open ones are counted as erased. Returns how many rows of what belongs to them there were. Throws `DATABASE_ERROR`.
 */
export async function deleteVerifications(
  em: EntityManager,
  of: { tenantId: string; now: Date },
  verifications: readonly LockedVerification[],
): Promise<{ deliveries: number; idempotencyKeys: number }> {
  const { tenantId } = of
  const ids = verifications.map(({ id }) => id)
  if (ids.length === 0) return { deliveries: 0, idempotencyKeys: 0 }
  await markRevoked(em, { ...of, by: 'erasure' }, ids)
  const completedAt = verifications.flatMap(({ completedAt }) => completedAt ?? [])
  const ofThese = { tenantId, verificationId: { $in: ids } }
  const deliveries = await em.nativeDelete(Delivery, { ...ofThese, createdAt: { $in: completedAt } })
  const idempotencyKeys = await em.nativeDelete(IdempotencyKey, ofThese)
  await em.nativeDelete(OpenVerification, { verificationId: { $in: ids } })
  await em.nativeDelete(VerificationOutcome, { ...ofThese, status: { $in: [...verificationStatuses] } })
  await em.nativeDelete(Verification, { tenantId, id: { $in: ids } })
  const erased = verifications.length - completedAt.length
  if (erased > 0) await countErased(inTransaction(em), { ...of, erased })
  return { deliveries, idempotencyKeys }
}

export type LockedVerification = Pick<Verification, 'id' | 'completedAt'>

export const countErased = statement({
  name: 'count-erased',
  text: `insert into usage_day as d (tenant_id, day, erased) values (:tenantId, (:now at time zone 'UTC')::date, :erased)
   on conflict (tenant_id, day) do update set erased = d.erased + excluded.erased`,
  values: { tenantId: uuid, now: timestamp, erased: int },
  row: {},
})
