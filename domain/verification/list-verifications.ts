import { z } from 'zod'
import { firstIdAt } from '../ids.ts'
import { cutPage, type Page, type PageRequest, pageCursor, pageLimit } from '../page.ts'
import { readParameter } from '../parameters.ts'
import type { TenantScope } from '../scope.ts'
import { Verification } from './verification.entity.ts'
import { type VerificationStatus, verificationStatuses } from './verification.policy.ts'

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
  const { tenantId } = scope.actor
  const { from, to } = request
  // Ids with the prefix lie between the prefix padded with 0 and the prefix padded with f.
  const id = [
    ...(search ? [{ $gte: padId(search, '0') }, { $lte: padId(search, 'f') }] : []),
    ...(from ? [{ $gte: firstIdAt(from) }] : []),
    ...(to ? [{ $lt: firstIdAt(to) }] : []),
    ...(cursor ? [{ $lt: cursor }] : []),
  ]
  const found = await scope.em.find(
    Verification,
    { tenantId, ...(status && { status }), $and: id.map(bound => ({ id: bound })) },
    {
      orderBy: { id: 'desc' },
      limit: limit + 1,
      fields: ['status', 'confidence', 'createdAt', 'completedAt'],
      disableIdentityMap: true,
    },
  )
  const items = found.map(listed)
  return cutPage(items, limit, item => item.verificationId)
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

type ListedFields = Pick<Verification, 'id' | 'status' | 'confidence' | 'createdAt' | 'completedAt'>

/** The fields of a verification that lists and single responses share. */
export function listed(verification: ListedFields): ListedVerification {
  const { id, status, createdAt } = verification
  const completedAt = verification.completedAt ?? null
  // MikroORM types a double as a number or its text.
  const known = completedAt ? verification.confidence : null
  const confidence = known === null || known === undefined ? null : Number(known)
  return { verificationId: id, status, confidence, createdAt, completedAt }
}
