import { rowsOf, tables } from '../database/tables.ts'
import type { Scope } from '../scope.ts'
import { keyLifetimeMs } from './with-idempotency-key.ts'

const batchSize = 1000

/** Deletes idempotency keys that are older than 24 hours. Returns their number. Throws `DATABASE_ERROR`. */
export async function deleteIdempotencyKeys(scope: Scope): Promise<number> {
  const createdUntil = new Date(scope.now.getTime() - keyLifetimeMs)
  const deleted = tables(scope.em)
    .deleteFrom('idempotency_key as k')
    .using(db =>
      db
        .selectFrom('idempotency_key')
        .select(['tenant_id', 'key_digest'])
        .where('created_at', '<=', createdUntil)
        .orderBy('created_at')
        .limit(batchSize)
        .forUpdate()
        .skipLocked()
        .as('expired'),
    )
    .whereRef('k.tenant_id', '=', 'expired.tenant_id')
    .whereRef('k.key_digest', '=', 'expired.key_digest')
    .returning('k.key_digest')
  return (await rowsOf(deleted)).length
}
