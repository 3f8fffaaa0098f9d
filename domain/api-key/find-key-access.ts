import { type StatementPool, statement } from '../database/statement.ts'
import type { KeyAccess } from './admission.policy.ts'

interface Row extends Omit<KeyAccess, 'expiresAt' | 'rateLimits'> {
  expiresAtMs: number | null
  writeLimit: number
  readLimit: number
}

const findAccess = statement<Row>(
  'find-key-access',
  `select k.id as "apiKeyId", k.tenant_id as "tenantId", k.scopes,
     (extract(epoch from k.expires_at) * 1000)::float8 as "expiresAtMs",
     t.disabled_at is null as enabled, t.provisioned_at is not null as provisioned,
     t.subscription = 'active' as "subscriptionActive",
     p.rate_limit_per_minute as "writeLimit", p.read_rate_limit_per_minute as "readLimit"
   from api_key k join tenant t on t.id = k.tenant_id join plan p on p.name = t.plan_name
   where k.hash = $1 and k.revoked_at is null`,
)

/** Finds a key by its SHA-256 (hex). Undefined for an unknown or revoked key. Throws `DATABASE_ERROR`. */
export async function findKeyAccess(pool: StatementPool, keyHash: string): Promise<KeyAccess | undefined> {
  const [row] = await findAccess(pool, [keyHash])
  if (!row) return undefined
  const { expiresAtMs, writeLimit, readLimit, ...access } = row
  return {
    ...access,
    expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs),
    rateLimits: { write: writeLimit, read: readLimit },
  }
}
