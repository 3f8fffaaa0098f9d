import { recordServiceAuditEvent } from '../audit/record-audit-event.ts'
import { uuid } from '../database/sql-types.ts'
import { transaction } from '../database/transaction.ts'
import { toArrays } from '../database/value-arrays.ts'
import { DomainError } from '../errors.ts'
import type { OperatorScope } from '../scope.ts'
import { type EncryptedColumn, sessionUrls, signingKeys, webhookSecrets } from './encrypted-columns.ts'

/**
 * Encrypts with the newest key whatever is still encrypted with an older one: signing keys, webhook secrets and the session
 * URLs of idempotency keys. It runs beside services: a value is replaced only if it has not changed. An interrupted
 * rotation is continued by the next one. Returns the number of replaced values; 0 means that the older keys are not needed
 * any more, provided that all services run with the newest one. Throws `INTERNAL_ERROR` for a value that no key decrypts.
 */
export async function rotateEncryptionKey(scope: OperatorScope): Promise<{ sealed: number }> {
  let sealed = 0
  for (const column of [signingKeys, webhookSecrets, sessionUrls]) sealed += await rotate(scope, column)
  await transaction(scope, async em => {
    recordServiceAuditEvent(scope, em, { action: 'encryption_key.rotate', target: null, changes: { sealed } })
  })
  return { sealed }
}

/** Rows per statement. */
const batchSize = 200

const nilUuid = '00000000-0000-0000-0000-000000000000'

/** Walks through a table in the order of its primary key. Returns the number of replaced rows. */
async function rotate(scope: OperatorScope, column: EncryptedColumn): Promise<number> {
  const { pool, cipher } = scope
  const { key, purposeOf, findStale, replace } = column
  let last: Record<string, unknown> = Object.fromEntries(
    Object.entries(key).map(([name, type]) => [name, type === uuid ? nilUuid : '']),
  )
  let replaced = 0
  for (;;) {
    const rows = await findStale(pool, { ...last, prefix: cipher.newestPrefix, limit: batchSize })
    const end = rows.at(-1)
    if (!end) return replaced
    const resealed = rows.map(({ sealed: old, ...row }) => ({
      ...row,
      old,
      sealed: reseal(scope, old, purposeOf(row)),
    }))
    replaced += (await replace(pool, toArrays([...Object.keys(key), 'old', 'sealed'], resealed))).length
    last = end
  }
}

function reseal({ cipher }: OperatorScope, sealed: Buffer, purpose: string): Buffer {
  let plaintext: string
  try {
    plaintext = cipher.open(sealed, purpose)
  } catch (error) {
    const cause = `no key of ENCRYPTION_KEY decrypts ${purpose}: ${(error as Error).message}`
    throw new DomainError('INTERNAL_ERROR', { cause })
  }
  return cipher.seal(plaintext, purpose)
}
