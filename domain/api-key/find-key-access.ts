import { type StatementPool, statement } from '../database/statement.ts'
import type { KeyAccess } from './key-access.ts'

const findAccess = statement<KeyAccess>(
  'find-key-access',
  `select k.id as "apiKeyId", k.tenant_id as "tenantId", k.scopes,
     (extract(epoch from k.expires_at) * 1000)::float8 as "expiresAtMs",
     t.disabled_at is null as enabled, t.provisioned_at is not null as provisioned,
     t.subscription = 'active' as "subscriptionActive",
     p.rate_limit_per_minute as "writeLimit", p.read_rate_limit_per_minute as "readLimit"
   from api_key k join tenant t on t.id = k.tenant_id join plan p on p.name = t.plan_name
   where k.hash = $1 and k.revoked_at is null`,
)

/** What the key with this SHA-256 may do; undefined for an unknown or revoked one. Throws `DATABASE_ERROR`. */
export async function findKeyAccess(pool: StatementPool, keyHash: string): Promise<KeyAccess | undefined> {
  const [access] = await findAccess(pool, [keyHash])
  return access
}
