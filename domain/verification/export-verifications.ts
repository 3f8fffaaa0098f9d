import { raw, sql } from '@mikro-orm/postgresql'
import type { TenantScope } from '../scope.ts'
import { type ChangeDescription, findDecision } from './decision.ts'
import { findVerifications, type VerificationRow } from './find-verifications.ts'
import { type ListedVerification, listed } from './list-verifications.ts'
import { timelineColumn, type VerificationChange } from './timeline.ts'
import { toSelection, type VerificationFilter } from './verification-filter.ts'

export interface ExportedVerification extends ListedVerification {
  /** The change that completed it; null while it is open. */
  decision: ChangeDescription | null
}

const batchSize = 500

/**
 * All verifications that a filter selects, newest first, read in batches as the caller takes them. Throws
 * `INVALID_PARAMETERS` before the first one, and `DATABASE_ERROR`.
 */
export async function* exportVerifications(
  scope: TenantScope,
  filter: VerificationFilter = {},
): AsyncGenerator<ExportedVerification, void, undefined> {
  const selection = toSelection(scope, filter)
  let cursor: string | null | undefined
  do {
    const { rows, examinedTo } = await findVerifications(scope, selection, {
      after: cursor,
      limit: batchSize,
    })
    const decisions = await findDecisions(scope, rows)
    for (const row of rows) yield { ...listed(row), decision: decisions.get(row.id) ?? null }
    cursor = rows.length === batchSize ? rows.at(-1)?.id : examinedTo
  } while (cursor)
}

/** The decisions of the completed ones among the rows, by id. */
async function findDecisions(
  { em, actor }: TenantScope,
  rows: VerificationRow[],
): Promise<Map<string, ChangeDescription | null>> {
  const ids = rows.filter(row => row.completed_at).map(({ id }) => id)
  const [newest, oldest] = [ids[0], ids.at(-1)]
  if (newest === undefined || oldest === undefined) return new Map()
  const found = await em.execute<{ id: string; changes: VerificationChange[] }[]>(
    sql`select v.id, ${raw(timelineColumn)} as changes from verification v
      where v.tenant_id = ${actor.tenantId} and v.id in (${ids}) and v.id between ${oldest} and ${newest}`,
  )
  return new Map(found.map(({ id, changes }) => [id, findDecision(changes)]))
}
