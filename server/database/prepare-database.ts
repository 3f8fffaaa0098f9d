import type { StatementPool } from '#domain/database/statement.ts'
import { assertDecryptable } from '#domain/encryption-key/encrypted-columns.ts'
import { DomainError } from '#domain/errors.ts'
import type { Cipher } from '#domain/ports.ts'
import type { Scope } from '#domain/scope.ts'
import { ensureSigningKey } from '#domain/signing-key/ensure-signing-key.ts'
import type { KeyRing } from '#domain/signing-key/key-ring.ts'
import { ensureDefaultPlan } from '#domain/tenant/ensure-default-plan.ts'
import { StartError } from '../configuration/start-error.ts'

interface Preparation {
  pool: StatementPool
  cipher: Cipher
  keyRing: KeyRing
}

/** Adds the rows that the service needs, and checks that it can decrypt what is there. It can be repeated. */
export async function prepareDatabase(scope: Scope, preparation: Preparation): Promise<void> {
  const { pool, cipher, keyRing } = preparation
  const kid = await ensureSigningKey(pool, cipher, scope.now)
  if (scope.rules.testTenants !== 'off') await ensureSigningKey(pool, cipher, scope.now, { test: true })
  await keyRing.key(kid).catch(rejectWrongKey)
  await assertDecryptable(pool, cipher).catch(rejectMissingKey)
  await ensureDefaultPlan(scope)
}

/** A wrong key is detected at the start rather than by the first approval. */
function rejectWrongKey(cause: unknown): never {
  if (cause instanceof DomainError) throw cause
  const message = 'ENCRYPTION_KEY is not the one that the secrets in this database were encrypted with'
  throw new StartError(message, { cause })
}

/** Also an older key that is still needed is missed at the start rather than by the first delivery. */
function rejectMissingKey(cause: unknown): never {
  if (cause instanceof DomainError) throw cause
  const message =
    'ENCRYPTION_KEY lacks a key that some secrets in this database are encrypted with: append it, then run ' +
    'operator encryption-key rotate'
  throw new StartError(message, { cause })
}
