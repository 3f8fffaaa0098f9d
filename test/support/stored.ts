import type { TestService } from './test-service.ts'

/** Rows as the database has them. */
export async function stored<Row = Record<string, unknown>>(
  service: TestService,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const { rows } = await service.services.database.pool.query({ name: '', text: sql, values })
  return rows as Row[]
}

/** How many verifications, reservations and idempotency keys a tenant has, and what it has used this month. */
export async function storedOf(service: TestService, tenantId: string) {
  const [row] = await stored<{ verifications: number; reservations: number; keys: number; used: number }>(
    service,
    `select (select count(*)::int from verification where tenant_id = $1) as verifications,
       (select count(*)::int from start_reservation where tenant_id = $1) as reservations,
       (select count(*)::int from idempotency_key where tenant_id = $1) as keys,
       (select coalesce(sum(used), 0)::int from usage_month where tenant_id = $1) as used`,
    [tenantId],
  )
  return row!
}

/** What a tenant has that has started nothing. */
export const nothing = { verifications: 0, reservations: 0, keys: 0, used: 0 }
