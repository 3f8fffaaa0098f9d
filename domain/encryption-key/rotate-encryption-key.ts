import { recordServiceAuditEvent } from '../audit-event/record-audit-event.ts'
import { arrayOf, bytes, int, text, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { transaction } from '../database/transaction.ts'
import { DomainError } from '../errors.ts'
import type { OperatorScope } from '../scope.ts'
import { webhookSecretPurpose } from '../settings/webhook-secrets.ts'
import { signingKeyPurpose } from '../signing-key/key-ring.ts'
import { sessionUrlPurpose } from '../verification/with-idempotency-key.ts'

/**
 * Encrypts with the newest key whatever is still encrypted with an older one: signing keys, webhook secrets and the
 * session URLs of idempotency keys. It runs beside services: a value is replaced only if it has not changed. An interrupted rotation is
 * continued by the next one. Returns the number of replaced values; 0 means that the older keys are not needed any more,
 * provided that all services run with the newest one. Throws `INTERNAL_ERROR` for a value that no key decrypts.
 */
export async function rotateEncryptionKey(scope: OperatorScope): Promise<{ sealed: number }> {
  const sealed =
    (await rotateSigningKeys(scope)) + (await rotateWebhookSecrets(scope)) + (await rotateSessionUrls(scope))
  await transaction(scope, async em => {
    recordServiceAuditEvent(scope, em, { action: 'encryption_key.rotate', target: null, changes: { sealed } })
  })
  return { sealed }
}

/** Rows per statement. */
const batchSize = 200

const nilUuid = '00000000-0000-0000-0000-000000000000'

async function rotateSigningKeys(scope: OperatorScope): Promise<number> {
  return await inBatches(
    { kid: '' },
    last =>
      findStaleSigningKeys(scope.pool, { prefix: scope.cipher.newestPrefix, limit: batchSize, ...last }),
    async rows => {
      const sealed = rows.map(row => reseal(scope, row.sealed, signingKeyPurpose(row.kid)))
      const old = rows.map(row => row.sealed)
      return (await resealSigningKeys(scope.pool, { kids: rows.map(row => row.kid), old, sealed })).length
    },
    ({ kid }) => ({ kid }),
  )
}

async function rotateWebhookSecrets(scope: OperatorScope): Promise<number> {
  return await inBatches(
    { tenantId: nilUuid, id: nilUuid },
    last =>
      findStaleWebhookSecrets(scope.pool, { prefix: scope.cipher.newestPrefix, limit: batchSize, ...last }),
    async rows => {
      const sealed = rows.map(row => reseal(scope, row.sealed, webhookSecretPurpose(row.id)))
      const keys = { tenantIds: rows.map(row => row.tenantId), ids: rows.map(row => row.id) }
      const old = rows.map(row => row.sealed)
      return (await resealWebhookSecrets(scope.pool, { ...keys, old, sealed })).length
    },
    ({ tenantId, id }) => ({ tenantId, id }),
  )
}

async function rotateSessionUrls(scope: OperatorScope): Promise<number> {
  return await inBatches(
    { tenantId: nilUuid, keyDigest: nilUuid },
    last =>
      findStaleSessionUrls(scope.pool, { prefix: scope.cipher.newestPrefix, limit: batchSize, ...last }),
    async rows => {
      const sealed = rows.map(row =>
        reseal(scope, row.sealed, sessionUrlPurpose(row.tenantId, row.verificationId)),
      )
      const keys = { tenantIds: rows.map(row => row.tenantId), keyDigests: rows.map(row => row.keyDigest) }
      const old = rows.map(row => row.sealed)
      return (await resealSessionUrls(scope.pool, { ...keys, old, sealed })).length
    },
    ({ tenantId, keyDigest }) => ({ tenantId, keyDigest }),
  )
}

/** Walks through a table in the order of its primary key. Returns the number of replaced rows. */
async function inBatches<Row, Key>(
  first: Key,
  find: (last: Key) => Promise<Row[]>,
  replace: (rows: Row[]) => Promise<number>,
  keyOf: (row: Row) => Key,
): Promise<number> {
  let replaced = 0
  let last = first
  for (;;) {
    const rows = await find(last)
    const end = rows.at(-1)
    if (!end) return replaced
    replaced += await replace(rows)
    last = keyOf(end)
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

const staleValues = {
  /** What the ciphertext of the newest key begins with. */
  prefix: bytes,
  limit: int,
}

export const findStaleSigningKeys = statement({
  name: 'find-stale-signing-keys',
  text: `select kid, encrypted_private_jwk as sealed from signing_key
   where kid > :kid and substring(encrypted_private_jwk for length(:prefix)) <> :prefix order by kid limit :limit`,
  values: { ...staleValues, kid: text },
  row: { kid: text, sealed: bytes },
})

export const resealSigningKeys = statement({
  name: 'reseal-signing-keys',
  text: `update signing_key k set encrypted_private_jwk = r.sealed
   from unnest(:kids, :old, :sealed) as r (kid, old, sealed)
   where k.kid = r.kid and k.encrypted_private_jwk = r.old returning k.kid`,
  values: { kids: arrayOf(text), old: arrayOf(bytes), sealed: arrayOf(bytes) },
  row: { kid: text },
})

export const findStaleWebhookSecrets = statement({
  name: 'find-stale-webhook-secrets',
  text: `select tenant_id as "tenantId", id, encrypted_secret as sealed from webhook_secret
   where (tenant_id, id) > (:tenantId, :id) and substring(encrypted_secret for length(:prefix)) <> :prefix
   order by tenant_id, id limit :limit`,
  values: { ...staleValues, tenantId: uuid, id: uuid },
  row: { tenantId: uuid, id: uuid, sealed: bytes },
})

export const resealWebhookSecrets = statement({
  name: 'reseal-webhook-secrets',
  text: `update webhook_secret s set encrypted_secret = r.sealed
   from unnest(:tenantIds, :ids, :old, :sealed) as r (tenant_id, id, old, sealed)
   where s.tenant_id = r.tenant_id and s.id = r.id and s.encrypted_secret = r.old returning s.id`,
  values: { tenantIds: arrayOf(uuid), ids: arrayOf(uuid), old: arrayOf(bytes), sealed: arrayOf(bytes) },
  row: { id: uuid },
})

export const findStaleSessionUrls = statement({
  name: 'find-stale-session-urls',
  text: `select tenant_id as "tenantId", key_digest as "keyDigest", verification_id as "verificationId",
     encrypted_session_url as sealed
   from idempotency_key
   where (tenant_id, key_digest) > (:tenantId, :keyDigest)
     and substring(encrypted_session_url for length(:prefix)) <> :prefix
   order by tenant_id, key_digest limit :limit`,
  values: { ...staleValues, tenantId: uuid, keyDigest: uuid },
  row: { tenantId: uuid, keyDigest: uuid, verificationId: uuid, sealed: bytes },
})

export const resealSessionUrls = statement({
  name: 'reseal-session-urls',
  text: `update idempotency_key k set encrypted_session_url = r.sealed
   from unnest(:tenantIds, :keyDigests, :old, :sealed) as r (tenant_id, key_digest, old, sealed)
   where k.tenant_id = r.tenant_id and k.key_digest = r.key_digest and k.encrypted_session_url = r.old
   returning k.key_digest as "keyDigest"`,
  values: {
    tenantIds: arrayOf(uuid),
    keyDigests: arrayOf(uuid),
    old: arrayOf(bytes),
    sealed: arrayOf(bytes),
  },
  row: { keyDigest: uuid },
})
