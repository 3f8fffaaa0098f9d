import type { TenantScope } from '../scope.ts'
import { findAmongAll, findByStatus, lookedUpMax, type VerificationRow } from './select-verifications.ts'
import type { Selection } from './verification-filter.ts'

export interface FoundVerifications {
  /** Newest first. */
  rows: VerificationRow[]
  /** The last one that was examined, if there may be more beyond it; null if `rows` are all, or as many as requested. */
  examinedTo: string | null
}

/** Where a page of the selected verifications begins: after a verification, or with the newest one. */
export interface PagePosition {
  after: string | null | undefined
  limit: number
}

/**
 * The newest of the selected verifications; fewer than `limit` also if a query has examined as many as it may. Statuses that
 * have an index are found by it; approved ones, which are frequent, and parts of an id among all verifications.
 */
export async function findVerifications(
  { pool, actor }: TenantScope,
  { open, completed, mustNotAdmit, range, ...selection }: Selection,
  { after, limit }: PagePosition,
): Promise<FoundVerifications> {
  if (open.length + completed.length === 0) return { rows: [], examinedTo: null }
  const {
    idPart = null,
    over18 = null,
    reasonCode = null,
    completedFrom = null,
    completedTo = null,
  } = selection
  const conditions = { over18, reasonCode, completedFrom, completedTo }
  const isAny = Object.values(conditions).every(condition => condition === null)
  const values = {
    tenantId: actor.tenantId,
    from: range.from,
    before: lowest(range.before, after?.toLowerCase()),
    limit,
    ...conditions,
    open: [...open],
    completed: [...completed],
  }
  const rows =
    idPart !== null || completed.includes('approved')
      ? await findAmongAll(pool, { ...values, idPart, mustNotAdmit })
      : await findByStatus(pool, { ...values, lookedUp: isAny ? limit : lookedUpMax })
  const last = rows.at(-1)
  return { rows: rows.filter(({ matches }) => matches), examinedTo: last?.isLast ? last.id : null }
}

/** Ids in lower case are in the order of their text. */
function lowest(id: string, other: string | undefined): string {
  return other !== undefined && other < id ? other : id
}
