import { rowsOf, tables } from '../database/tables.ts'
import type { TenantScope } from '../scope.ts'
import { findTenant } from './find-tenant.ts'

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
    const rows = tables(scope.em)
      .selectFrom(table)
      .select('tenant_id')
      .where('tenant_id', '=', id)
      .limit(countMax)
    const counted = tables(scope.em)
      .selectFrom(rows.as('rows'))
      .select(({ fn }) => fn.countAll<string>().as('count'))
    return Number((await rowsOf(counted))[0]?.count ?? 0)
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
