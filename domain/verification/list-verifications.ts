import { sql } from 'kysely'
import { z } from 'zod'
import { rowsOf, type TableQuery, tables } from '../database/tables.ts'
import { firstIdAt, newId, timeOfId } from '../ids.ts'
import { cutPage, type Page, type PageRequest, pageCursor, pageLimit } from '../page.ts'
import { readParameter } from '../parameters.ts'
import type { TenantScope } from '../scope.ts'
import { firstRetainedId } from './retention.policy.ts'
import { isOnlyOpen, type VerificationStatus, verificationStatuses } from './verification.policy.ts'

export interface VerificationsRequest extends PageRequest {
  status?: VerificationStatus | undefined
  /** Created at or after this time. */
  from?: Date | undefined
  /** Created before this time. */
  to?: Date | undefined
  /** An id or a prefix of one: hexadecimal digits, with or without hyphens. */
  search?: string | undefined
}

export interface ListedVerification {
  verificationId: string
  status: VerificationStatus
  /** Null until completion. */
  confidence: number | null
  createdAt: Date
  completedAt: Date | null
}

/** The tenant's verifications, newest first. Ids are ordered by time, so the primary key serves every page. */
export async function listVerifications(
  scope: TenantScope,
  request: VerificationsRequest = {},
): Promise<Page<ListedVerification>> {
  const limit = readParameter('limit', pageLimit, request.limit)
  const cursor = readParameter('cursor', pageCursor, request.cursor)
  const status = readParameter('status', statusFilter, request.status)
  const search = readParameter('search', idPrefix, request.search)
  const { from, to } = request
  const bounds: IdBound[] = [
    ['>=', firstRetainedId(scope)],
    // Ids with the prefix lie between the prefix padded with 0 and the prefix padded with f.
    ...(search ? [['>=', padId(search, '0')] as const, ['<=', padId(search, 'f')] as const] : []),
    ...(from ? [['>=', firstIdAt(from)] as const] : []),
    ...(to ? [['<', firstIdAt(to)] as const] : []),
    ...(cursor ? [['<', cursor] as const] : []),
  ]
  const found = await findNewestFirst(scope, status, bounds, limit + 1)
  return cutPage(found.map(listed), limit, item => item.verificationId)
}

async function findNewestFirst(
  scope: TenantScope,
  status: VerificationStatus | undefined,
  bounds: IdBound[],
  limit: number,
): Promise<ListedColumns[]> {
  if (status && isOnlyOpen(status)) return await rowsOf(open(scope, status, { bounds, limit }))
  const query = (page: FoundPage) =>
    !status || status === 'approved' ? all(scope, status, page) : withStatus(scope, status, page)
  return await findInPartitions(scope, query, { bounds, limit })
}

/** The partitions of the newest two months are read first: planning a query for all of them takes a millisecond. */
async function findInPartitions(
  scope: TenantScope,
  query: (page: FoundPage) => TableQuery<ListedColumns>,
  { bounds, limit }: FoundPage,
): Promise<ListedColumns[]> {
  const end = bounds.reduce(
    (lowest, [operator, id]) => (operator !== '>=' && id < lowest ? id : lowest),
    newId(scope.now),
  )
  const recent = firstIdAt(monthBefore(timeOfId(end)))
  const newest = await rowsOf(query({ bounds: [...bounds, ['>=', recent]], limit }))
  if (newest.length === limit) return newest
  const rest = { bounds: [...bounds, ['<', recent] as const], limit: limit - newest.length }
  return [...newest, ...(await rowsOf(query(rest)))]
}

/** The beginning of the UTC month before that of a time. */
function monthBefore(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() - 1, 1))
}

/** A condition on the id. */
type IdBound = readonly ['<' | '<=' | '>=', string]

interface FoundPage {
  bounds: IdBound[]
  limit: number
}

function all({ em, actor }: TenantScope, status: 'approved' | undefined, { bounds, limit }: FoundPage) {
  const query = tables(em)
    .selectFrom('verification as v')
    .select(['v.id', 'v.status', 'v.confidence', 'v.completed_at'])
    .where('v.tenant_id', '=', actor.tenantId)
  return bounds
    .reduce(
      (bounded, [operator, id]) => bounded.where('v.id', operator, literal(id)),
      status ? query.where('v.status', '=', status) : query,
    )
    .orderBy('v.id', 'desc')
    .limit(limit)
}

/** Open verifications with a status: all that a list shows of them is in their row. */
function open({ em, actor }: TenantScope, status: VerificationStatus, { bounds, limit }: FoundPage) {
  return bounds
    .reduce(
      (bounded, [operator, id]) => bounded.where('verification_id', operator, literal(id)),
      tables(em)
        .selectFrom('open_verification')
        .select([
          'verification_id as id',
          'status',
          sql<ListedColumns['confidence']>`null::float8`.as('confidence'),
          sql<ListedColumns['completed_at']>`null::timestamptz`.as('completed_at'),
        ])
        .where('tenant_id', '=', actor.tenantId)
        .where('status', '=', status),
    )
    .orderBy('verification_id', 'desc')
    .limit(limit)
}

/** Completed verifications with a status, found by the index that has it. */
function completed({ em, actor }: TenantScope, status: VerificationStatus, { bounds, limit }: FoundPage) {
  const outcomes = bounds
    .reduce(
      (bounded, [operator, id]) => bounded.where('verification_id', operator, literal(id)),
      tables(em)
        .selectFrom('verification_outcome')
        .select('verification_id')
        .where('tenant_id', '=', actor.tenantId)
        .where('status', '=', status),
    )
    .orderBy('verification_id', 'desc')
    .limit(limit)
  return tables(em)
    .selectFrom(outcomes.as('o'))
    .innerJoinLateral(
      db =>
        bounds
          .reduce(
            (bounded, [operator, id]) => bounded.where('v.id', operator, literal(id)),
            db.selectFrom('verification as v').where('v.tenant_id', '=', actor.tenantId),
          )
          .select(['v.id', 'v.status', 'v.confidence', 'v.completed_at'])
          .whereRef('v.id', '=', 'o.verification_id')
          // Looks one row up after the other, each in its partition.
          .limit(1)
          .as('v'),
      join => join.onTrue(),
    )
    .select(['v.id', 'v.status', 'v.confidence', 'v.completed_at'])
}

function withStatus(scope: TenantScope, status: VerificationStatus, page: FoundPage) {
  return tables(scope.em)
    .selectFrom(open(scope, status, page).as('open'))
    .selectAll()
    .unionAll(
      tables(scope.em)
        .selectFrom(completed(scope, status, page).as('completed'))
        .selectAll(),
    )
    .orderBy('id', 'desc')
    .limit(page.limit)
}

/** In the text of the query rather than as a parameter, so that its plan has only the partitions that it reads. */
function literal(id: string) {
  return sql<string>`${sql.lit(id)}::uuid`
}

const statusFilter = z.enum(verificationStatuses, 'The status is unknown.').optional()

const idPrefix = z
  .string()
  .regex(/^[0-9a-f-]{1,36}$/i, 'The search must be a verificationId or the beginning of one.')
  .transform(text => text.replaceAll('-', '').toLowerCase())
  .refine(hex => hex.length >= 1 && hex.length <= 32, 'A verificationId has 32 digits.')
  .optional()

function padId(hex: string, digit: '0' | 'f'): string {
  return hex.padEnd(32, digit).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

interface ListedColumns {
  id: string
  status: VerificationStatus
  // MikroORM types a double as a number or its text, and a nullable column as optional.
  confidence?: number | string | null | undefined
  completed_at?: Date | string | null | undefined
}

function listed(row: ListedColumns): ListedVerification {
  const { id, status } = row
  const completedAt = row.completed_at ? new Date(row.completed_at) : null
  const confidence = completedAt ? Number(row.confidence) : null
  return { verificationId: id, status, confidence, createdAt: timeOfId(id), completedAt }
}
