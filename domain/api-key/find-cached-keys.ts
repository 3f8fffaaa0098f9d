import { int, text, timestamp, uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'

/** The keys of a tenant, or of all tenants of a plan. */
export type CachedKeys = { tenantId: string } | { planName: string }

const pageSize = 1_000
/** A key that ended longer ago isn't cached any more, whatever failed at its end. */
const endedMsMax = 10 * 60 * 1_000
const firstId = '00000000-0000-0000-0000-000000000000'

/**
 * Pages of the SHA-256 (hex) of all keys that may be cached: those that are live, and those that ended within the last
 * ten minutes. Throws `DATABASE_ERROR`.
 */
export async function* findCachedKeys(
  pool: StatementPool,
  keys: CachedKeys,
  now: Date,
): AsyncGenerator<string[]> {
  const endedSince = new Date(now.getTime() - endedMsMax)
  let after = { afterTenantId: firstId, afterId: firstId }
  for (;;) {
    const page = { endedSince, ...after, limit: pageSize }
    const rows =
      'planName' in keys
        ? await findCachedKeysOfPlan(pool, { planName: keys.planName, ...page })
        : await findCachedKeysOfTenant(pool, { tenantId: keys.tenantId, ...page })
    if (rows.length > 0) yield rows.map(({ hash }) => hash)
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = { afterTenantId: last.tenantId, afterId: last.id }
  }
}

const row = { tenantId: uuid, id: uuid, hash: text }

// `least` ignores nulls: it is null for a key that never ends.
const page = `(least(k.revoked_at, k.expires_at) is null or least(k.revoked_at, k.expires_at) > :endedSince)
     and (k.tenant_id, k.id) > (:afterTenantId, :afterId)
   order by k.tenant_id, k.id limit :limit`

export const findCachedKeysOfTenant = statement({
  name: 'find-cached-keys-of-tenant',
  text: `select k.tenant_id as "tenantId", k.id, k.hash from api_key k where k.tenant_id = :tenantId and ${page}`,
  values: { tenantId: uuid, endedSince: timestamp, afterTenantId: uuid, afterId: uuid, limit: int },
  row,
})

export const findCachedKeysOfPlan = statement({
  name: 'find-cached-keys-of-plan',
  text: `select k.tenant_id as "tenantId", k.id, k.hash from api_key k join tenant t on t.id = k.tenant_id
   where t.plan_name = :planName and ${page}`,
  values: { planName: text, endedSince: timestamp, afterTenantId: uuid, afterId: uuid, limit: int },
  row,
})
