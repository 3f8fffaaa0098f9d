import type { EntityManager } from '@mikro-orm/postgresql'

/**
 * The tenant that owns the row with an id, for the operator who names no tenant. The primary keys begin with the
 * tenant, so this probes one tenant after the other: fast enough for a command, and no index of its own to maintain.
 */
export async function findOwner(
  em: EntityManager,
  table: 'api_key',
  id: string,
): Promise<string | undefined> {
  const [owner] = await em.execute<{ tenantId: string }[]>(
    `select t.id as "tenantId" from tenant t
     cross join lateral (select from ${table} where tenant_id = t.id and id = ? limit 1) owned limit 1`,
    [id],
  )
  return owner?.tenantId
}
