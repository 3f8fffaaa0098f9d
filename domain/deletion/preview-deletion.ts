import type { TenantScope } from '../scope.ts'
import { findTenant } from '../tenant/find-tenant.ts'

/** What a deletion of the tenant would delete. */
export interface DeletionPreview {
  name: string
  /** Counted up to 1,000,000. */
  verifications: number
  /** Of these, not completed. */
  openVerifications: number
  apiKeys: number
  members: number
  auditEvents: number
}

const countMax = 1_000_000

/** Throws `INVALID_PARAMETERS` for an unknown tenant. */
export async function previewDeletion(scope: TenantScope): Promise<DeletionPreview> {
  const { id, name } = await findTenant(scope)
  const count = async (table: CountedTable) => {
    const counted = `select count(*)::int as count from (select from ${table} where tenant_id = ? limit ${countMax}) rows`
    const [row] = await scope.em.execute<{ count: number }[]>(counted, [id])
    return row!.count
  }
  return {
    name,
    verifications: await count('verification'),
    openVerifications: await count('open_verification'),
    apiKeys: await count('api_key'),
    members: await count('member'),
    auditEvents: await count('audit_event'),
  }
}

type CountedTable = 'verification' | 'open_verification' | 'api_key' | 'member' | 'audit_event'
