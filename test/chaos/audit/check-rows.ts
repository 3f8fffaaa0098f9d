import { toDigest } from '#domain/verification/idempotency-lock.ts'
import { shown } from '../judge/judge-verification.ts'
import type { StartEntry } from '../judge/ledger.ts'
import type { Run } from '../run.ts'
import type { ReceivedAttempt } from '../system/receivers.ts'
import type { System } from '../system/system.ts'

/**
 * Compares the rows with the starts of the ledger, and the used quota with the rows. Completes the ledger from them. A row is
 * that of the start with its id or its idempotency key. Any other one can only be of a start without a key and without an answer.
 */
export function checkRows(run: Run, rows: StoredRows): void {
  const { violations, ledger } = run
  for (const tenant of ledger.tenants) {
    const stored = rows.verifications.filter(({ tenantId }) => tenantId === tenant.tenantId)
    const others = new Set(stored)
    const unknown: StartEntry[] = []
    let erased = 0
    for (const entry of tenant.starts) {
      const found = stored.filter(isOf(entry))
      for (const row of found) others.delete(row)
      if (entry.erased.sentAt !== undefined && found.length === 0) {
        erased += 1
        continue
      }
      if (entry.erased.doneAt !== undefined)
        violations.add('An erased verification has no row', { entry: shown(entry) })
      if (found.length === 0 && entry.outcome === 'unknown' && entry.idempotencyKey === undefined)
        unknown.push(entry)
      else checkStart(run, entry, found)
    }
    for (const entry of unknown) {
      const [row] = others
      if (row) others.delete(row)
      checkStart(run, entry, row ? [row] : [])
    }
    for (const row of others) violations.add('Every verification was started by a client', row)
    const count = stored.length + erased
    const used = rows.used[tenant.tenantId] ?? 0
    if (used !== count) {
      violations.add('The used quota is the number of verifications, erased ones included', {
        tenant: tenant.name,
        used,
        count,
      })
    }
  }
}

/** Tells the rows of a start. */
function isOf({ verificationId, idempotencyKey }: StartEntry): (row: StoredVerification) => boolean {
  const digest = idempotencyKey === undefined ? undefined : toDigest(idempotencyKey)
  return row => row.verificationId === verificationId || (digest !== undefined && row.keyDigest === digest)
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

export interface StoredVerification {
  tenantId: string
  verificationId: string
  /** Of the idempotency key of its start; null without one. */
  keyDigest: string | null
  completed: boolean
}

/**
 * What receivers and tables have, in the terms of the checks. What had arrived is read before the tables, because an attempt is
 * counted before it is sent, and the tables at one moment: the only statement that depends on their layout.
 */
export interface StoredRows {
  received: readonly ReceivedAttempt[]
  verifications: StoredVerification[]
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
       select v.tenant_id as "tenantId", v.id as "verificationId", encode(uuid_send(k.key_digest), 'hex') as "keyDigest",
         v.completed_at is not null as completed
       from verification v left join idempotency_key k on k.verification_id = v.id
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
