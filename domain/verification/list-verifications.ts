import { timeOfId } from '../ids.ts'
import { cutPage, type Page, type PageRequest, readPage } from '../page.ts'
import type { TenantScope } from '../scope.ts'
import type { VerificationStatus } from '../verification-status.ts'
import { summarizeReason } from './decision.ts'
import { findVerifications } from './find-verifications.ts'
import type { VerificationRow } from './select-verifications.ts'
import { toSelection, type VerificationFilter } from './verification-filter.ts'

export type VerificationsRequest = PageRequest & VerificationFilter

export interface ListedVerification {
  verificationId: string
  status: VerificationStatus
  /** Null until completion. */
  confidence: number | null
  /** Whether the person is 18 or over; null until completion, where it is unknown, and once the token is revoked. */
  over18: boolean | null
  createdAt: Date
  completedAt: Date | null
  /** When its token was revoked, or the token's signing key was reported as compromised. */
  tokenRevokedAt: Date | null
  /** In a few words, why it was not approved, or what a resubmission is for; null if there is no such reason. */
  reason: string | null
}

export interface VerificationsPage extends Page<ListedVerification> {
  /**
   * Where the work of one call ended before the page was full: verifications before this time are not searched yet, and
   * `nextCursor` goes on. Otherwise null.
   */
  searchedUntil: Date | null
}

/** The tenant's verifications, newest first. Ids are ordered by time, so indexes that end with them serve every page. */
export async function listVerifications(
  scope: TenantScope,
  request: VerificationsRequest = {},
): Promise<VerificationsPage> {
  const { limit, cursor } = readPage(request)
  const selection = toSelection(scope, request)
  const { rows, examinedTo } = await findVerifications(scope, selection, { after: cursor, limit: limit + 1 })
  const page = cutPage(rows.map(listed), limit, item => item.verificationId)
  if (page.nextCursor || !examinedTo) return { ...page, searchedUntil: null }
  return { ...page, nextCursor: examinedTo, searchedUntil: timeOfId(examinedTo) }
}

/** A row as it is listed. */
export function listed(row: VerificationRow): ListedVerification {
  const { id, status, confidence, completedAt, revokedAt, timeline } = row
  return {
    verificationId: id,
    status,
    confidence: completedAt ? confidence : null,
    over18: revokedAt ? null : row.over18,
    createdAt: timeOfId(id),
    completedAt,
    tokenRevokedAt: revokedAt,
    reason: summarizeReason({ status, completedAt }, timeline),
  }
}
