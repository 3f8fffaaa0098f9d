import { z } from 'zod'
import { firstIdAt } from '../ids.ts'
import { readParameter } from '../parameters.ts'
import { retainedFrom } from '../retention.policy.ts'
import type { TenantScope } from '../scope.ts'
import { openStatuses, type VerificationStatus, verificationStatuses } from '../verification-status.ts'
import { completedStatuses } from './verification.policy.ts'

/** Which verifications are listed. Conditions that exclude each other select none. */
export interface VerificationFilter {
  /** One status or several. */
  status?: VerificationStatus | readonly VerificationStatus[] | undefined
  /** `attention`: denied, to be submitted again, or approved with nothing to admit the person on. */
  state?: (typeof states)[number] | undefined
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
  /** An id or a part of one, such as its last digits: hexadecimal digits, with or without hyphens. */
  search?: string | undefined
}

export const states = ['open', 'completed', 'attention'] as const

export const over18Values = ['yes', 'no', 'unknown', 'revoked'] as const
type Over18 = (typeof over18Values)[number]

/** What a filter comes to. */
export interface Selection {
  /** The ids from one on, itself included, that are before another one. */
  range: { from: string; before: string }
  /** Digits that an id has anywhere; undefined for any id in the range. */
  idPart?: string | undefined
  /** The statuses of the open verifications among them. */
  open: readonly VerificationStatus[]
  /** The statuses of the completed ones among them. */
  completed: readonly VerificationStatus[]
  /** Whether of the approved ones only those are selected that give nothing to admit the person on. */
  mustNotAdmit: boolean
  /** Of the completed ones; undefined for anything. */
  over18?: Over18 | undefined
  /** Of the decision; undefined for any. */
  reasonCode?: string | undefined
  /** When they were completed; undefined for any time. */
  completedFrom?: Date | undefined
  completedTo?: Date | undefined
}

/** Throws `INVALID_PARAMETERS`. */
export function toSelection(scope: TenantScope, filter: VerificationFilter): Selection {
  const given = readParameter('status', statusFilter, filter.status)
  const state = readParameter('state', z.enum(states).optional(), filter.state)
  const over18 = readParameter('over18', z.enum(over18Values).optional(), filter.over18)
  const reasonCode = readParameter('reasonCode', reasonCodeFilter, filter.reasonCode)
  const statuses = given === undefined ? verificationStatuses : [given].flat()
  const { completedFrom, completedTo } = filter
  const isOfCompleted = [over18, reasonCode, completedFrom, completedTo].some(value => value !== undefined)
  const idPart = readParameter('search', idDigits, filter.search)
  const needsAttention = state === 'attention'
  const among = (others: readonly VerificationStatus[]) =>
    others.filter(status => statuses.includes(status) && !(needsAttention && isQuiet(status)))
  const completed = state === 'open' ? [] : among(decidable(over18, reasonCode))
  return {
    open: state === 'completed' || isOfCompleted ? [] : among(openStatuses),
    completed,
    mustNotAdmit: needsAttention && completed.includes('approved'),
    over18,
    reasonCode,
    completedFrom,
    completedTo,
    range: toRange(scope, filter, idPart),
    idPart,
  }
}

/** Statuses that nobody has to look at. */
function isQuiet(status: VerificationStatus): boolean {
  return status !== 'approved' && status !== 'denied' && status !== 'resubmission'
}

/** The statuses of completed verifications that can have such a decision: an age is stored for approvals only. */
function decidable(over18: Over18 | undefined, reasonCode: string | undefined) {
  return completedStatuses.filter(
    status =>
      (over18 === undefined || over18 === 'unknown' || status === 'approved') &&
      (reasonCode === undefined || status === 'denied' || status === 'rejected'),
  )
}

/** How much later than after twice its lifetime a verification is completed at most, even after an outage of the service. */
const closingDelayMaxMs = 30 * 24 * 60 * 60 * 1000

/** A whole id is looked up: none of its millisecond but itself has all of its digits. */
function toRange(
  scope: TenantScope,
  filter: VerificationFilter,
  idPart: string | undefined,
): Selection['range'] {
  const { from, to, completedFrom, completedTo } = filter
  const openMaxMs = 2 * scope.rules.sessionLifetimeMs + closingDelayMaxMs
  const openSince = completedFrom && new Date(completedFrom.getTime() - openMaxMs)
  // None is created later than now, but on a machine whose clock is ahead.
  const tomorrow = new Date(scope.now.getTime() + 24 * 60 * 60 * 1000)
  const time = idPart?.length === 32 ? Number.parseInt(idPart.slice(0, 12), 16) : undefined
  const [since, until] = time === undefined ? [] : [new Date(time), new Date(time + 1)]
  return {
    from: inOrder([retainedFrom(scope), from, openSince, since]).at(-1)!,
    before: inOrder([tomorrow, to, completedTo, until])[0]!,
  }
}

/** The first ids of the given times, in order. */
function inOrder(times: (Date | undefined)[]): string[] {
  return times.flatMap(time => (time ? [firstIdAt(time)] : [])).sort()
}

const aStatus = z.enum(verificationStatuses, 'The status is unknown.')
const statusFilter = z.union([aStatus, z.array(aStatus).max(100)], 'The status is unknown.').optional()

const reasonCodeFilter = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'The reason code has at most 100 letters, digits, dots and hyphens.')
  .optional()

const idDigits = z
  .string()
  .regex(/^[0-9a-f-]{1,36}$/i, 'The search must be a verificationId or a part of one.')
  .transform(text => text.replaceAll('-', '').toLowerCase())
  .refine(hex => hex.length >= 1 && hex.length <= 32, 'A verificationId has 32 digits.')
  .optional()
