import type { VerificationStatus } from '../verification-status.ts'
import { describeCode, describeReason } from './decision-reasons.ts'
import type { VerificationChange } from './timeline.ts'

/** What was reported with a change of a verification. */
export interface ChangeDescription {
  /** The provider's event or decision code, such as 7001 or 9102; null if it sent none. */
  code: number | null
  /** Why the provider declined it or asked for a resubmission, such as "106"; null if it sent none. */
  reasonCode: string | null
  /** The number of the provider's attempt, from 1; null if none was reported. */
  attempt: number | null
  /** In words: the reason, or else what happened; null if neither is known. */
  description: string | null
}

type DescribedChange = Pick<VerificationChange, 'status' | 'source' | 'code' | 'attempt' | 'reason_code'>

export function describeChange(change: DescribedChange): ChangeDescription {
  const { code, reason_code: reasonCode, attempt } = change
  return { code, reasonCode, attempt, description: describeReason(reasonCode) ?? whatHappened(change) }
}

function whatHappened({ source, code, status }: DescribedChange): string | null {
  if (source !== 'provider') return descriptions[source]
  return describeCode(code) ?? describeCode(usualCodes[status])
}

const descriptions = {
  tenant: 'The tenant reported that the user returned from the hosted page',
  service: 'The session expired without a decision',
}

/** For what the provider sends without a code. */
const usualCodes: Record<VerificationStatus, number | null> = {
  pending: null,
  started: 7001,
  submitted: 7002,
  approved: 9001,
  denied: 9102,
  resubmission: 9103,
  rejected: 9104,
}

/** What was reported with the change that completed a verification: of all changes that were applied, the last one. */
export function decisionOf(timeline: readonly VerificationChange[]): ChangeDescription | null {
  const change = timeline.findLast(({ applied }) => applied)
  return change ? describeChange(change) : null
}
