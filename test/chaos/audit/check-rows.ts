import { shown } from '../judge/judge-verification.ts'
import type { StartEntry } from '../judge/ledger.ts'
import type { Run } from '../run.ts'
import type { ReceivedAttempt } from '../system/receivers.ts'
import type { System } from '../system/system.ts'

/** Compares the rows with the starts of the ledger, and the used quota with the rows. Completes the ledger from them. */
export function checkRows(run: Run, rows: StoredRows): void {
  const { violations, ledger } = run
  const stored = new Map<string, StoredRows['verifications']>()
  for (const row of rows.verifications) {
    const key = `${row.tenantId} ${row.userAgent}`
    stored.set(key, [...(stored.get(key) ?? []), row])
  }
  for (const tenant of ledger.tenants) {
    for (const entry of tenant.starts) {
      const key = `${tenant.tenantId} ${entry.userAgent}`
      checkStart(run, entry, stored.get(key) ?? [])
      stored.delete(key)
    }
    const count = rows.verifications.filter(({ tenantId }) => tenantId === tenant.tenantId).length
    const used = rows.used[tenant.tenantId] ?? 0
    if (used !== count) {
      violations.add('The used quota is the number of verifications', { tenant: tenant.name, used, count })
    }
  }
  for (const row of stored.values()) violations.add('Every verification was started by a client', row)
}

function checkStart({ violations }: Run, entry: StartEntry, rows: StoredRows['verifications']): void {
  const facts = { entry: shown(entry), rows }
  const { outcome, verificationId } = entry
  // From here on it is known whether it did, and under which ID.
  entry.mayUseQuota = rows.length > 0
  if (outcome === 'unknown') entry.verificationId = rows[0]?.verificationId
  if (rows.length > 1) violations.add('A start makes one verification', facts)
  if (outcome === 'acknowledged' && rows[0]?.verificationId !== verificationId) {
    violations.add('No acknowledged start is lost', facts)
  }
  if (outcome === 'rejected' && rows.length > 0) violations.add('A rejected start stores nothing', facts)
}

/**
 * What receivers and tables have, in the terms of the checks. What had arrived is read before the tables, because an attempt is
 * counted before it is sent, and the tables at one moment: the only statement that depends on their layout.
 */
export interface StoredRows {
  received: readonly ReceivedAttempt[]
  verifications: { tenantId: string; verificationId: string; userAgent: string | null; completed: boolean }[]
  /** Starts that have used quota and are not confirmed. */
  reservations: number
  /** Starts counted, by tenant. */
  used: Record<string, number>
  deliveries: { verificationId: string; state: string; attempts: number }[]
}

export async function readStoredRows(system: Pick<System, 'query' | 'receivers'>): Promise<StoredRows> {
  const received = [...system.receivers.attempts]
  const [tables] = await system.query<Omit<StoredRows, 'received'>>(
    `select (select coalesce(json_agg(r), '[]') from (
       select v.tenant_id as "tenantId", v.id as "verificationId", d.user_agent as "userAgent",
         v.completed_at is not null as completed
       from verification v left join request_data d on d.verification_id = v.id
     ) r) as verifications,
     (select count(*)::int from start_reservation) as reservations,
     (select coalesce(json_object_agg(tenant_id, used), '{}') from (
       select tenant_id, sum(used)::int as used from usage_month group by tenant_id
     ) r) as used,
     (select coalesce(json_agg(r), '[]') from (
       select verification_id as "verificationId", state, attempts from delivery
     ) r) as deliveries`,
  )
  return { received, ...tables! }
}
