import { z } from 'zod'
import { type AuditAction, isReading } from '../audit/audit-actions.ts'
import { int, textOf, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { firstIdAt } from '../ids.ts'
import { invalidParameter, readParameter } from '../parameters.ts'
import { type StatementInForce, statementsInForce } from '../practice-statement/statements-in-force.ts'
import { firstRetainedAuditId } from '../retention.policy.ts'
import type { TenantScope } from '../scope.ts'
import { type SignedRecord, signRecord } from '../signing-key/sign-record.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import { sumUsage, type UsageCounts } from '../usage/usage-counts.ts'
import { UsageDay } from '../usage/usage-day.entity.ts'
import { dayOf, monthEnd, toMonth } from '../usage/usage-period.ts'

/** What was done for a tenant in a UTC month, without persons. */
export interface Evidence {
  /** `YYYY-MM`. */
  month: string
  /** Whether the month is over. */
  complete: boolean
  counts: UsageCounts
  /** SHA-256 of the practice statement in force at the end of the month, or now; null if there was none. */
  statement: string | null
  /** All that were in force in the month, oldest first. */
  statements: (Omit<StatementInForce, 'since'> & { since: string })[]
  /** How often what was changed, by its name in the audit log; null for a month that the log has ended for. */
  changes: Partial<Record<AuditAction, number>> | null
}

/**
 * Evidence of a month, from counts that are kept for ever. Throws `INVALID_PARAMETERS` for what is no month, one that has not
 * begun, and one without usage before the tenant existed.
 */
export async function monthlyEvidence(
  scope: TenantScope,
  input: { month: string },
): Promise<Evidence & SignedRecord> {
  const month = readParameter('month', utcMonth, input.month)
  const first = new Date(`${month}-01`)
  const { createdAt, test } = await findTenant(scope)
  if (first > scope.now) throw invalidParameter('month', `The month ${month} has not begun yet (UTC).`)
  const end = monthEnd(first)
  const days = await scope.em.find(UsageDay, {
    tenantId: scope.actor.tenantId,
    day: { $gte: dayOf(first), $lt: dayOf(end) },
  })
  const created = toMonth(createdAt).slice(0, 7)
  // The generated history of a demonstration begins before its tenant.
  if (month < created && days.length === 0)
    throw invalidParameter('month', `The tenant exists since ${created}.`)
  const evidence = await collect(scope, { month, first, end, days })
  return { ...evidence, ...(await signRecord(scope, 'age-evidence+jwt', evidence, test)) }
}

const utcMonth = z.string().regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/, 'The month must be written as YYYY-MM.')

interface Month {
  /** `YYYY-MM`. */
  month: string
  first: Date
  /** The beginning of the next one. */
  end: Date
  days: UsageDay[]
}

async function collect(scope: TenantScope, { month, first, end, days }: Month): Promise<Evidence> {
  const statements = await statementsInForce(scope, first, end)
  return {
    month,
    complete: end <= scope.now,
    counts: sumUsage(days),
    statement: statements.at(-1)?.sha256 ?? null,
    statements: statements.map(({ since, ...version }) => ({ ...version, since: since.toISOString() })),
    changes: await countChanges(scope, first, end),
  }
}

async function countChanges(scope: TenantScope, first: Date, end: Date): Promise<Evidence['changes']> {
  const { pool, actor } = scope
  const range = { firstId: firstIdAt(first), endId: firstIdAt(end) }
  if (range.firstId < firstRetainedAuditId(scope)) return null
  const counted = await countAuditEvents(pool, { tenantId: actor.tenantId, ...range })
  const changes = counted.filter(({ action }) => !isReading(action))
  return Object.fromEntries(changes.map(({ action, count }) => [action, count]))
}

export const countAuditEvents = statement({
  name: 'count-audit-events',
  text: `select action, count(*)::int as count from audit_event
   where tenant_id = :tenantId and id >= :firstId and id < :endId group by action order by action`,
  values: { tenantId: uuid, firstId: uuid, endId: uuid },
  row: { action: textOf<AuditAction>(), count: int },
})
