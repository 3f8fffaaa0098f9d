import { inTurn } from '../in-turn.ts'
import type { TenantScope } from '../scope.ts'
import {
  findAmongAll,
  findByPart,
  findByStatus,
  lookedUpMax,
  scannedMax,
  type VerificationRow,
} from './select-verifications.ts'
import type { IdRange, Selection } from './verification-filter.ts'

export interface FoundVerifications {
  /** Newest first. */
  rows: VerificationRow[]
  /** The last one that was examined, if there may be more beyond it; null if `rows` are all, or as many as requested. */
  examinedTo: string | null
}

interface FoundPage extends IdRange {
  limit: number
}

/** Where a page of the selected verifications begins: after a verification, or with the newest one. */
export interface PagePosition {
  after: string | null | undefined
  limit: number
}

/** The newest of the selected verifications; fewer than `limit` also if a query has examined as many as it may. */
export async function findVerifications(
  scope: TenantScope,
  selection: Selection,
  { after, limit }: PagePosition,
): Promise<FoundVerifications> {
  const { open, completed, range, otherwise } = selection
  const page = { from: range.from, before: lowest(range.before, after?.toLowerCase()), limit }
  if (open.length + completed.length === 0) return { rows: [], examinedTo: null }
  const found = await findPage(scope, selection, page)
  const isNone = found.rows.length === 0 && !found.examinedTo
  if (!isNone || !otherwise) return found
  return await findVerifications(
    scope,
    { ...selection, otherwise: undefined, ...otherwise },
    { after, limit },
  )
}

/**
 * Parts of an id are found among the ids. Statuses that have an index are found by it; approved ones, which are frequent,
 * among all verifications.
 */
async function findPage(
  scope: TenantScope,
  { open, completed, mustNotAdmit, ...selection }: Selection,
  page: FoundPage,
): Promise<FoundVerifications> {
  const { pool, actor } = scope
  const { idPart, over18 = null, reasonCode = null, completedFrom = null, completedTo = null } = selection
  const conditions = { over18, reasonCode, completedFrom, completedTo }
  const isAny = Object.values(conditions).every(condition => condition === null)
  const statuses = { open: [...open], completed: [...completed] }
  const values = { tenantId: actor.tenantId, ...page, ...conditions, ...statuses }
  const rows =
    idPart !== undefined
      ? await inTurn(scope, () => findByPart(pool, { ...values, idPart, mustNotAdmit, scanned: scannedMax }))
      : completed.includes('approved')
        ? await findAmongAll(pool, { ...values, mustNotAdmit })
        : await findByStatus(pool, { ...values, lookedUp: isAny ? page.limit : lookedUpMax })
  const last = rows.at(-1)
  return { rows: rows.filter(({ matches }) => matches), examinedTo: last?.isLast ? last.id : null }
}

/** Ids in lower case are in the order of their text. */
function lowest(id: string, other: string | undefined): string {
  return other !== undefined && other < id ? other : id
}
