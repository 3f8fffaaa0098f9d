import { readConsole } from '../clients/calls.ts'
import type { TenantEntry } from '../judge/ledger.ts'
import type { Run } from '../run.ts'
import type { StoredRows } from './check-rows.ts'

const dayMs = 86_400_000
const pageSize = 100

interface Listed {
  verificationId: string
  status: string
  completedAt: string | null
}

/** Compares what the console lists and counts with the rows and with the status responses. */
export async function checkConsole(run: Run, rows: StoredRows): Promise<void> {
  for (const tenant of run.ledger.tenants) {
    const listed = await listVerifications(run, tenant)
    compareList(run, rows, tenant, listed)
    await compareUsage(run, tenant, listed)
  }
}

async function listVerifications(run: Run, tenant: TenantEntry): Promise<Listed[]> {
  const listed: Listed[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const input = { limit: pageSize, ...(cursor === undefined ? {} : { cursor }) }
    const page = await readConsole(run, run.system.apis[0]!, tenant, 'verifications.list', input)
    if (!page) return listed
    listed.push(...page.items)
    cursor = page.nextCursor
  }
  return listed
}

function compareList({ violations }: Run, rows: StoredRows, tenant: TenantEntry, listed: Listed[]): void {
  const facts = { tenant: tenant.name }
  const byId = new Map(listed.map(item => [item.verificationId, item]))
  const stored = rows.verifications.filter(({ tenantId }) => tenantId === tenant.tenantId)
  const missing = stored.filter(({ verificationId }) => !byId.has(verificationId))
  if (missing.length > 0 || byId.size !== listed.length || byId.size !== stored.length) {
    violations.add('The console lists every verification once', { ...facts, missing, listed: listed.length })
  }
  for (const { verificationId, completion } of tenant.starts) {
    const item = byId.get(verificationId ?? '')
    if (!item || !completion) continue
    const { status, completedAt } = completion.body
    if (item.status !== status || item.completedAt !== completedAt) {
      violations.add('The console says what the status says', { ...facts, item, completion })
    }
  }
}

/** The counts per day, which are written with the starts and the completions, against the list. */
async function compareUsage(run: Run, tenant: TenantEntry, listed: Listed[]): Promise<void> {
  const toDay = (time: number) => new Date(time).toISOString().slice(0, 10)
  // Lifetimes end by a clock that is ahead.
  const input = { from: toDay(Date.now() - 2 * dayMs), to: toDay(Date.now() + 20 * dayMs) }
  const usage = await readConsole(run, run.system.apis[0]!, tenant, 'usage.daily', input)
  if (!usage) return
  const expected = (name: string) =>
    name === 'started' ? listed.length : listed.filter(one => one.completedAt && one.status === name).length
  for (const name of ['started', 'approved', 'denied', 'rejected', 'submitted', 'resubmission']) {
    const counts: number[] = usage.items.map((item: Record<string, number>) => item[name] ?? 0)
    const counted = counts.reduce((sum, count) => sum + count, 0)
    if (counted !== expected(name)) {
      const facts = { tenant: tenant.name, name, counted, expected: expected(name) }
      run.violations.add('The usage counts every start and completion once', facts)
    }
  }
}
