import { batchLookups } from '../database/batch-lookups.ts'
import {
  arrayOf,
  boolean,
  int,
  nullable,
  type Typed,
  text,
  textOf,
  timestamp,
  uuid,
} from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import type { ApiKeyScope } from '../permissions.ts'
import type { KeyAccess } from './admission.policy.ts'

export const accessRow = {
  apiKeyId: uuid,
  tenantId: uuid,
  scopes: arrayOf(textOf<ApiKeyScope>()),
  expiresAt: nullable(timestamp),
  revoked: boolean,
  enabled: boolean,
  subscriptionActive: boolean,
  writeLimit: int,
  readLimit: int,
}

/** The columns of `accessRow`, selected from `accessTables`. */
export const accessColumns = `k.id as "apiKeyId", k.tenant_id as "tenantId", k.scopes, k.expires_at as "expiresAt",
     k.revoked_at is not null as revoked, t.disabled_at is null as enabled, t.subscription = 'active' as "subscriptionActive",
     p.rate_limit_per_minute as "writeLimit", p.read_rate_limit_per_minute as "readLimit"`

export const accessTables =
  'api_key k join tenant t on t.id = k.tenant_id join plan p on p.name = t.plan_name'

export function toKeyAccess({ writeLimit, readLimit, ...access }: Typed<typeof accessRow>): KeyAccess {
  return { ...access, rateLimits: { write: writeLimit, read: readLimit } }
}

/**
 * Finds a key by its SHA-256 (hex). Undefined for an unknown key. Look-ups of one turn of the event loop share a statement.
 * Throws `DATABASE_ERROR`.
 */
export const findKeyAccess: (pool: StatementPool, keyHash: string) => Promise<KeyAccess | undefined> =
  batchLookups({
    async one(pool, keyHash) {
      const [row] = await findAccessOfKey(pool, { keyHash })
      return row && toKeyAccess(row)
    },
    async many(pool, keyHashes, callers) {
      const rows = await findAccessOfKeys(pool, { keyHashes: [...new Set(keyHashes)] }, callers)
      const found = new Map(rows.map(({ keyHash, ...row }) => [keyHash, toKeyAccess(row)]))
      return keyHashes.map(keyHash => found.get(keyHash))
    },
  })

export const findAccessOfKey = statement({
  name: 'find-key-access',
  text: `select ${accessColumns} from ${accessTables} where k.hash = :keyHash`,
  values: { keyHash: text },
  row: accessRow,
})

export const findAccessOfKeys = statement({
  name: 'find-key-access-batch',
  text: `select k.hash as "keyHash", ${accessColumns} from ${accessTables} where k.hash = any (:keyHashes)`,
  values: { keyHashes: arrayOf(text) },
  row: { keyHash: text, ...accessRow },
})
