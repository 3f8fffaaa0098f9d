import type { Run } from '../run.ts'
import { shown } from './judge-status.ts'
import type { StartEntry } from './ledger.ts'
import type { StoredRows } from './stored-rows.ts'

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
    const used = rows.used.get(tenant.tenantId) ?? 0
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
