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

/** Finds a key by its SHA-256 (hex). Undefined for an unknown key. Throws `DATABASE_ERROR`. */
export async function findKeyAccess(pool: StatementPool, keyHash: string): Promise<KeyAccess | undefined> {
  const [row] = await findAccessOfKey(pool, { keyHash })
  return row && toKeyAccess(row)
}

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

export const findAccessOfKey = statement({
  name: 'find-key-access',
  text: `select ${accessColumns} from ${accessTables} where k.hash = :keyHash`,
  values: { keyHash: text },
  row: accessRow,
})
