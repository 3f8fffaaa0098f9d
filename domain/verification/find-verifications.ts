import { firstIdAt, newId, timeOfId } from '../ids.ts'
import type { TenantScope } from '../scope.ts'
import { findAmongAll, findByStatus, lookedUpMax, type VerificationRow } from './select-verifications.ts'
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
  const { open, completed, range } = selection
  const page = { from: range.from, before: lowest(range.before, after?.toLowerCase()), limit }
  if (open.length + completed.length === 0) return { rows: [], examinedTo: null }
  return await findInPartitions(scope, page, part => findPage(scope, selection, part))
}

/** The partitions of the newest two months are read first: looking into all of them takes a millisecond. */
async function findInPartitions(
  scope: TenantScope,
  page: FoundPage,
  find: (page: FoundPage) => Promise<FoundVerifications>,
): Promise<FoundVerifications> {
  const end = lowest(page.before, newId(scope.now))
  const recent = firstIdAt(monthBefore(timeOfId(end)))
  if (page.from >= recent) return await find(page)
  const newest = await find({ ...page, from: recent })
  const left = page.limit - newest.rows.length
  if (left === 0 || newest.examinedTo) return newest
  const older = await find({ ...page, before: recent, limit: left })
  return { ...older, rows: [...newest.rows, ...older.rows] }
}

/** The beginning of the UTC month before that of a time. */
function monthBefore(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() - 1, 1))
}

/** Statuses that have an index are found by it; approved ones, which are frequent, among all verifications. */
async function findPage(
  { pool, actor }: TenantScope,
  { open, completed, mustNotAdmit, ...selection }: Selection,
  page: FoundPage,
): Promise<FoundVerifications> {
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
    ...page,
    ...conditions,
    open: [...open],
    completed: [...completed],
  }
  const rows =
    completed.includes('approved') || idPart !== null
      ? await findAmongAll(pool, { ...values, idPart, mustNotAdmit })
      : await findByStatus(pool, { ...values, lookedUp: isAny ? page.limit : lookedUpMax })
  const last = rows.at(-1)
  return { rows: rows.filter(({ matches }) => matches), examinedTo: last?.isLast ? last.id : null }
}

/** Ids in lower case are in the order of their text. */
function lowest(id: string, other: string | undefined): string {
  return other !== undefined && other < id ? other : id
}
