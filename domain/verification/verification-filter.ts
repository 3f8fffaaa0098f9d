import { z } from 'zod'
import { firstIdAt } from '../ids.ts'
import { readParameter } from '../parameters.ts'
import { firstRetainedId } from '../retention.policy.ts'
import type { TenantScope } from '../scope.ts'
import { openStatuses, type VerificationStatus, verificationStatuses } from '../verification-status.ts'
import { completedStatuses } from './verification.policy.ts'

/** Which verifications are listed. Conditions that exclude each other select none. */
export interface VerificationFilter {
  /** One status or several. */
  status?: VerificationStatus | readonly VerificationStatus[] | undefined
  state?: (typeof openOrCompleted)[number] | undefined
  /**
   * Of completed ones, whether the person is 18 or over; `unknown` includes all that were not approved. Those whose token
   * is revoked are `revoked`, whatever the age.
   */
  over18?: Over18 | undefined
  /** Of denied and rejected ones, the provider's reason. */
  reasonCode?: string | undefined
  /** Created at or after this time. */
  from?: Date | undefined
  /** Created before this time. */
  to?: Date | undefined
  /** Completed at or after this time. */
  completedFrom?: Date | undefined
  /** Completed before this time. */
  completedTo?: Date | undefined
  /** An id or a prefix of one: hexadecimal digits, with or without hyphens. */
  search?: string | undefined
}

export const openOrCompleted = ['open', 'completed'] as const

export const over18Values = ['yes', 'no', 'unknown', 'revoked'] as const
type Over18 = (typeof over18Values)[number]

/** What a filter comes to. */
export interface Selection {
  /** The statuses of the open verifications among them. */
  open: readonly VerificationStatus[]
  /** The statuses of the completed ones among them. */
  completed: readonly VerificationStatus[]
  /** Of the completed ones; undefined for anything. */
  over18?: Over18 | undefined
  /** Of the decision; undefined for any. */
  reasonCode?: string | undefined
  /** When they were completed; undefined for any time. */
  completedFrom?: Date | undefined
  completedTo?: Date | undefined
  bounds: readonly IdBound[]
}

/** A condition on the id. */
export type IdBound = readonly ['<' | '<=' | '>=', string]

/** Throws `INVALID_PARAMETERS`. */
export function toSelection(scope: TenantScope, filter: VerificationFilter): Selection {
  const given = readParameter('status', statusFilter, filter.status)
  const state = readParameter('state', z.enum(openOrCompleted).optional(), filter.state)
  const over18 = readParameter('over18', z.enum(over18Values).optional(), filter.over18)
  const reasonCode = readParameter('reasonCode', reasonCodeFilter, filter.reasonCode)
  const statuses = given === undefined ? verificationStatuses : [given].flat()
  const { completedFrom, completedTo } = filter
  const isOfCompleted = [over18, reasonCode, completedFrom, completedTo].some(value => value !== undefined)
  const among = (others: readonly VerificationStatus[]) => others.filter(status => statuses.includes(status))
  return {
    open: state === 'completed' || isOfCompleted ? [] : among(openStatuses),
    completed: state === 'open' ? [] : among(decidable(over18, reasonCode)),
    over18,
    reasonCode,
    completedFrom,
    completedTo,
    bounds: toIdBounds(scope, filter),
  }
}

/** The statuses of completed verifications that can have such a decision: an age is stored for approvals only. */
function decidable(over18: Over18 | undefined, reasonCode: string | undefined) {
  return completedStatuses.filter(
    status =>
      (over18 === undefined || over18 === 'unknown' || status === 'approved') &&
      (reasonCode === undefined || status === 'denied' || status === 'rejected'),
  )
}

/** How much later than at the end of its lifetime a verification is completed at most, even after an outage. */
const closingDelayMaxMs = 30 * 24 * 60 * 60 * 1000

function toIdBounds(scope: TenantScope, filter: VerificationFilter): IdBound[] {
  const { from, to, completedFrom, completedTo } = filter
  const openMaxMs = scope.rules.sessionLifetimeMs + closingDelayMaxMs
  const search = readParameter('search', idPrefix, filter.search)
  return [
    ['>=', firstRetainedId(scope)],
    // Ids with the prefix lie between the prefix padded with 0 and the prefix padded with f.
    ...(search ? [['>=', padId(search, '0')] as const, ['<=', padId(search, 'f')] as const] : []),
    ...(from ? [['>=', firstIdAt(from)] as const] : []),
    ...(to ? [['<', firstIdAt(to)] as const] : []),
    ...(completedFrom ? [['>=', firstIdAt(new Date(completedFrom.getTime() - openMaxMs))] as const] : []),
    ...(completedTo ? [['<', firstIdAt(completedTo)] as const] : []),
  ]
}

const aStatus = z.enum(verificationStatuses, 'The status is unknown.')
const statusFilter = z.union([aStatus, z.array(aStatus).max(100)], 'The status is unknown.').optional()

const reasonCodeFilter = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'The reason code has at most 100 letters, digits, dots and hyphens.')
  .optional()

const idPrefix = z
  .string()
  .regex(/^[0-9a-f-]{1,36}$/i, 'The search must be a verificationId or the beginning of one.')
  .transform(text => text.replaceAll('-', '').toLowerCase())
  .refine(hex => hex.length >= 1 && hex.length <= 32, 'A verificationId has 32 digits.')
  .optional()

function padId(hex: string, digit: '0' | 'f'): string {
  return hex.padEnd(32, digit).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
