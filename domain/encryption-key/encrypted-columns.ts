import { arrayOf, bytes, int, type SqlTypes, text, uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import { arrayTypes } from '../database/value-arrays.ts'
import type { Cipher } from '../ports.ts'
import { signingKeyPurpose } from '../signing-key/key-ring.ts'
import { webhookSecretPurpose } from '../tenant/webhook-secrets.ts'
import { sessionUrlPurpose } from '../verification/idempotency-lock.ts'

/** The version and the key id, which ciphertext begins with. */
const prefixBytes = 5

interface Column {
  table: string
  column: string
  /** The primary key, in its order. */
  key: SqlTypes
  /** Other columns that the purpose depends on. */
  more?: SqlTypes
  purposeOf(row: Record<string, string>): string
}

/** Declares the statements for a column of ciphertext. Calls throw `DATABASE_ERROR`. */
function encryptedColumn({ table, column, key, more = {}, purposeOf }: Column) {
  const names = Object.keys(key)
  const columns = names.join()
  const given = names.map(name => `:${name}`).join()
  const row = { ...key, ...more, sealed: bytes }
  const selected = [...names, ...Object.keys(more), `${column} as sealed`].join()
  /** One row of each key that encrypts some. */
  const sample = statement({
    name: `sample-${table}`,
    text: `select distinct on (substring(${column} for ${prefixBytes})) ${selected} from ${table}
     where ${column} is not null`,
    values: {},
    row,
  })
  /** The rows after a key of the table that are encrypted with another key than the one with this prefix. */
  const findStale = statement({
    name: `find-stale-${table}`,
    text: `select ${selected} from ${table}
     where (${columns}) > (${given}) and substring(${column} for length(:prefix)) <> :prefix
     order by ${columns} limit :limit`,
    values: { ...key, prefix: bytes, limit: int } as SqlTypes,
    row,
  })
  /** Replaces each value that has not changed. Returns a row for each. */
  const replace = statement({
    name: `reseal-${table}`,
    text: `update ${table} t set ${column} = r.sealed from unnest(${given}, :old, :sealed) as r (${columns}, old, sealed)
     where ${names.map(name => `t.${name} = r.${name}`).join(' and ')} and t.${column} = r.old
     returning true as replaced`,
    values: { ...arrayTypes(key), old: arrayOf(bytes), sealed: arrayOf(bytes) } as SqlTypes,
    row: {},
  })
  return { key, purposeOf, sample, findStale, replace, statements: [sample, findStale, replace] }
}

export const signingKeys = encryptedColumn({
  table: 'signing_key',
  column: 'encrypted_private_jwk',
  key: { kid: text },
  purposeOf: ({ kid }) => signingKeyPurpose(kid!),
})

export const webhookSecrets = encryptedColumn({
  table: 'webhook_secret',
  column: 'encrypted_secret',
  key: { tenant_id: uuid, id: uuid },
  purposeOf: ({ id }) => webhookSecretPurpose(id!),
})

export const sessionUrls = encryptedColumn({
  table: 'idempotency_key',
  column: 'encrypted_session_url',
  key: { tenant_id: uuid, key_digest: uuid },
  more: { verification_id: uuid },
  purposeOf: row => sessionUrlPurpose(row.tenant_id!, row.verification_id!),
})

export type EncryptedColumn = ReturnType<typeof encryptedColumn>

/**
 * Decrypts one signing key and one webhook secret of each key that encrypted them. Throws if one cannot be decrypted:
 * then the configured keys lack one that is still needed.
 */
export async function assertDecryptable(pool: StatementPool, cipher: Cipher): Promise<void> {
  for (const { sample, purposeOf } of [signingKeys, webhookSecrets]) {
    for (const { sealed, ...row } of await sample(pool, {})) cipher.open(sealed, purposeOf(row))
  }
}
