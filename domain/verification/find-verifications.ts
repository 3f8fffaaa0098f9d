import { sql } from '@mikro-orm/postgresql'
import { firstIdAt, newId, timeOfId } from '../ids.ts'
import type { TenantScope } from '../scope.ts'
import { openStatuses, type VerificationStatus } from '../verification-status.ts'
import { findNewestVerifications } from './find-newest-verifications.ts'
import {
  type ExaminedRow,
  type FoundPage,
  revokedAt,
  type Select,
  selectOpen,
  selectPage,
  selectTimeline,
} from './select-verifications.ts'
import type { VerificationChange } from './timeline.ts'
import { completedStatuses } from './verification.policy.ts'
import type { IdRange, Selection } from './verification-filter.ts'

export interface FoundVerifications {
  /** Newest first. */
  rows: VerificationRow[]
  /** The last one that was examined, if there may be more beyond it; null if `rows` are all, or as many as requested. */
  examinedTo: string | null
}

export interface VerificationRow {
  id: string
  status: VerificationStatus
  /** A double may be text. */
  confidence: number | string | null
  over18: boolean | null
  completed_at: Date | string | null
  revoked_at: Date | string | null
  timeline: VerificationChange[]
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
  const { open, completed, idPart, range } = selection
  const page = { from: range.from, before: lowest(range.before, after?.toLowerCase()), limit }
  if (open.length + completed.length === 0) return { rows: [], examinedTo: null }
  if (completed.length === 0 && !idPart) return await examine(scope, selectOpen(scope, open, page), page)
  const isEvery = open.length === openStatuses.length && completed.length === completedStatuses.length
  if (isEvery && !idPart) {
    return await findInPartitions(scope, page, part => findNewest(scope, part))
  }
  return await findInPartitions(scope, page, part => examine(scope, selectPage(scope, selection, part), part))
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

async function findNewest({ pool, actor }: TenantScope, page: FoundPage): Promise<FoundVerifications> {
  return {
    rows: await findNewestVerifications(pool, { tenantId: actor.tenantId, ...page }),
    examinedTo: null,
  }
}

/** The beginning of the UTC month before that of a time. */
function monthBefore(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() - 1, 1))
}

async function examine(scope: TenantScope, select: Select, range: IdRange): Promise<FoundVerifications> {
  const rows = await scope.em.execute<(VerificationRow & ExaminedRow)[]>(
    sql`select found.*, ${revokedAt} as revoked_at, ${selectTimeline(scope, range)} as timeline
      from (${select}) found order by id desc`,
  )
  const last = rows.at(-1)
  return {
    rows: rows.filter(({ matches }) => matches !== false),
    examinedTo: last?.is_last ? last.id : null,
  }
}

/** Ids in lower case are in the order of their text. */
function lowest(id: string, other: string | undefined): string {
  return other !== undefined && other < id ? other : id
}
