import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'
import { keyLifetimeMs } from './with-idempotency-key.ts'

const batch = 1000

const drop = statement<{ key: string }>(
  'drop-idempotency-keys',
  `delete from idempotency_key where (tenant_id, key) in (
     select tenant_id, key from idempotency_key where created_at <= $1 order by created_at limit $2
     for update skip locked
   ) returning key`,
)

/** Deletes idempotency keys that have outlived their 24 hours. Answers with their number. */
export async function deleteIdempotencyKeys(scope: Scope): Promise<number> {
  return (await drop(scope.pool, [new Date(scope.now.getTime() - keyLifetimeMs), batch])).length
}
