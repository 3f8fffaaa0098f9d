import type { TestService } from './test-service.ts'

/** Runs a query on the service's database, and returns its rows. */
export async function stored<Row = Record<string, unknown>>(
  { services }: Pick<TestService, 'services'>,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const { rows } = await services.database.pool.query({ name: '', text: sql, values })
  return rows as Row[]
}

/** Counts a tenant's verifications, reservations and idempotency keys, and the quota that it has used. */
export async function countRecords(service: TestService, tenantId: string) {
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

/** The counts of a tenant that has started no verification. */
export const noRecords = { verifications: 0, reservations: 0, keys: 0, used: 0 }
