import { z } from 'zod'
import { type AuditAction, isReading } from '../audit/audit-actions.ts'
import { boolean, date, int, text, textOf, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { firstIdAt } from '../ids.ts'
import { invalidParameter, readParameter } from '../parameters.ts'
import { type StatementInForce, statementsInForce } from '../practice-statement/statements-in-force.ts'
import { firstRetainedAuditId } from '../retention.policy.ts'
import type { TenantScope } from '../scope.ts'
import { signRecord } from '../signing-key/sign-record.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import type { Tenant } from '../tenant/tenant.entity.ts'
import { sumUsage, type UsageCounts } from '../usage/usage-counts.ts'
import { UsageDay } from '../usage/usage-day.entity.ts'
import { addDays, dayOf, monthEnd, toMonth } from '../usage/usage-period.ts'

/** What was done for a tenant in a UTC month, without persons. */
export interface Evidence {
  /** `YYYY-MM`. */
  month: string
  /** Whether the month is over. */
  complete: boolean
  tenant: { id: string; name: string }
  test: boolean
  /** Who is responsible for the service; null if the operator has not stated it. */
  operator: string | null
  counts: EvidenceCounts
  /** SHA-256 of the practice statement in force at the end of the month, or now; null if there was none. */
  statement: string | null
  /** All that were in force in the month, oldest first. */
  statements: (Omit<StatementInForce, 'since'> & { since: string })[]
  /** How often what was changed, by its name in the audit log; null for a month that the log has ended for. */
  changes: Partial<Record<AuditAction, number>> | null
  /** The keys that sign for such tenants and were reported as compromised in the month; null as `changes` is. */
  compromisedKeys: { kid: string; reportedAt: string }[] | null
}

/** `openBefore + started = approved + denied + rejected + submitted + resubmission + erased + openAtEnd`. */
export interface EvidenceCounts extends UsageCounts {
  openBefore: number
  openAtEnd: number
}

/**
 * Evidence of a month as a JWS in the compact form, from counts that are kept for ever. Throws `INVALID_PARAMETERS` for what is
 * no month, one that has not begun, and one before the first.
 */
export async function monthlyEvidence(scope: TenantScope, input: { month: string }): Promise<string> {
  const month = readParameter('month', utcMonth, input.month)
  const first = new Date(`${month}-01`)
  if (first > scope.now) throw invalidParameter('month', `The month ${month} has not begun yet (UTC).`)
  const months = await listEvidenceMonths(scope)
  if (!months.includes(month)) throw invalidParameter('month', `The tenant exists since ${months.at(-1)}.`)
  const tenant = await findTenant(scope)
  const evidence = await collect(scope, tenant, { month, first, end: monthEnd(first) })
  return await signRecord(scope, 'age-evidence+jwt', evidence, tenant.test)
}

const utcMonth = z.string().regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/, 'The month must be written as YYYY-MM.')

/** All since the tenant was created, newest first. The generated history of a demonstration begins before. */
export async function listEvidenceMonths(scope: TenantScope): Promise<string[]> {
  const { id: tenantId, createdAt } = await findTenant(scope)
  const usage = await scope.em.findOne(UsageDay, { tenantId }, { orderBy: { day: 'asc' } })
  const since = toMonth(usage && usage.day < dayOf(createdAt) ? new Date(usage.day) : createdAt)
  const months: string[] = []
  for (let day = toMonth(scope.now); day >= since; day = toMonth(new Date(addDays(day, -1))))
    months.push(day.slice(0, 7))
  return months
}

interface Month {
  /** `YYYY-MM`. */
  month: string
  first: Date
  /** The beginning of the next one. */
  end: Date
}

async function collect(scope: TenantScope, tenant: Tenant, period: Month): Promise<Evidence> {
  const { month, first, end } = period
  const { id, name, test } = tenant
  const statements = await statementsInForce(scope, first, end)
  return {
    month,
    complete: end <= scope.now,
    tenant: { id, name },
    test,
    operator: scope.rules.practice.operator.controller ?? null,
    counts: await countVerifications(scope, period),
    statement: statements.at(-1)?.sha256 ?? null,
    statements: statements.map(({ since, ...version }) => ({ ...version, since: since.toISOString() })),
    ...(await readLogs(scope, test, period)),
  }
}

async function countVerifications(
  { em, pool, actor: { tenantId } }: TenantScope,
  { first, end }: Month,
): Promise<EvidenceCounts> {
  const days = await em.find(UsageDay, { tenantId, day: { $gte: dayOf(first), $lt: dayOf(end) } })
  const [before] = await countOpenBefore(pool, { tenantId, day: dayOf(first) })
  const openBefore = before!.open
  const counts = sumUsage(days)
  const { approved, denied, rejected, submitted, resubmission, erased } = counts
  const ended = approved + denied + rejected + submitted + resubmission + erased
  return { openBefore, ...counts, openAtEnd: openBefore + counts.started - ended }
}

export const countOpenBefore = statement({
  name: 'count-open-before',
  text: `select coalesce(sum(started - approved - denied - rejected - submitted - resubmission - erased), 0)::int as open
   from usage_day where tenant_id = :tenantId and day < :day`,
  values: { tenantId: uuid, day: date },
  row: { open: int },
})

async function readLogs(
  scope: TenantScope,
  test: boolean,
  { first, end }: Month,
): Promise<Pick<Evidence, 'changes' | 'compromisedKeys'>> {
  const { pool, actor } = scope
  const range = { firstId: firstIdAt(first), endId: firstIdAt(end) }
  if (range.firstId < firstRetainedAuditId(scope)) return { changes: null, compromisedKeys: null }
  const counted = await countAuditEvents(pool, { tenantId: actor.tenantId, ...range })
  const changes = counted.filter(({ action }) => !isReading(action))
  const keys = await findCompromisedKeys(pool, { test, ...range })
  return {
    changes: Object.fromEntries(changes.map(({ action, count }) => [action, count])),
    compromisedKeys: keys.map(({ kid, at }) => ({ kid, reportedAt: at.toISOString() })),
  }
}

export const countAuditEvents = statement({
  name: 'count-audit-events',
  text: `select action, count(*)::int as count from audit_event
   where tenant_id = :tenantId and id >= :firstId and id < :endId group by action order by action`,
  values: { tenantId: uuid, firstId: uuid, endId: uuid },
  row: { action: textOf<AuditAction>(), count: int },
})

// The keys themselves are deleted earlier.
export const findCompromisedKeys = statement({
  name: 'find-compromised-keys',
  text: `select changes->>'compromised' as kid, min(at) as at from service_audit_event
   where id >= :firstId and id < :endId and action = 'signing_key.rotate' and changes->>'compromised' is not null
     and coalesce((changes->>'test')::bool, false) = :test
   group by 1 order by 2`,
  values: { test: boolean, firstId: uuid, endId: uuid },
  row: { kid: text, at: timestamp },
})
