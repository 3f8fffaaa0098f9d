import { int, uuid } from '#domain/database/sql-types.ts'
import { statement } from '#domain/database/statement.ts'
import type { TenantScope } from '#domain/scope.ts'
import { findTenant } from '#domain/tenant/find-tenant.ts'

const countMax = 1_000_000

/** What a deletion of the tenant would delete, each counted up to 1,000,000. Throws `INVALID_PARAMETERS` for an unknown tenant. */
export async function previewDeletion(scope: TenantScope) {
  const { id: tenantId, name } = await findTenant(scope)
  const [counts] = await countTenantRows(scope.pool, { tenantId })
  return { name, ...counts! }
}

function countRows(table: string): string {
  return `(select count(*) from (select from ${table} where tenant_id = :tenantId limit ${countMax}) counted)::int`
}

export const countTenantRows = statement({
  name: 'count-tenant-rows',
  text: `select ${countRows('verification')} as verifications, ${countRows('open_verification')} as "openVerifications",
     ${countRows('api_key')} as "apiKeys", ${countRows('member')} as members, ${countRows('audit_event')} as "auditEvents"`,
  values: { tenantId: uuid },
  row: { verifications: int, openVerifications: int, apiKeys: int, members: int, auditEvents: int },
})
