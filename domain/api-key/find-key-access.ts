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
  position: int,
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

/** The columns of `accessRow`, selected from `w` and `accessTables`. */
export const accessColumns = `w.position::int, k.id as "apiKeyId", k.tenant_id as "tenantId", k.scopes,
     k.expires_at as "expiresAt", k.revoked_at is not null as revoked, t.disabled_at is null as enabled,
     t.subscription = 'active' as "subscriptionActive", p.rate_limit_per_minute as "writeLimit",
     p.read_rate_limit_per_minute as "readLimit"`

export const accessTables =
  '(api_key k join tenant t on t.id = k.tenant_id join plan p on p.name = t.plan_name)'

export function toKeyAccess(row: Typed<typeof accessRow>): KeyAccess {
  const { position: _, writeLimit, readLimit, ...access } = row
  return { ...access, rateLimits: { write: writeLimit, read: readLimit } }
}

/**
 * Finds a key by its SHA-256 (hex). Undefined for an unknown key. Look-ups of one turn of the event loop share a statement.
 * Throws `DATABASE_ERROR`.
 */
export async function findKeyAccess(pool: StatementPool, keyHash: string): Promise<KeyAccess | undefined> {
  const row = await findAccess(pool, keyHash)
  return row && toKeyAccess(row)
}

export const findAccessOfKeys = statement({
  name: 'find-key-access',
  text: `select ${accessColumns}
   from unnest(:hashes) with ordinality as w (hash, position) join ${accessTables} on k.hash = w.hash
   where k.hash = any (:hashes)`,
  values: { hashes: arrayOf(text) },
  row: accessRow,
})

const findAccess = batchLookups((pool, hashes: readonly string[]) =>
  findAccessOfKeys(pool, { hashes: [...hashes] }),
)
