import type { VerificationStatus } from '../verification-status.ts'
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
export function findDecision(timeline: readonly VerificationChange[]): ChangeDescription | null {
  const change = timeline.findLast(({ applied }) => applied)
  return change ? describeChange(change) : null
}

/** The provider's event and decision codes. */
const codes: Record<number, string> = {
  7001: 'The user opened the hosted page',
  7002: 'The user submitted',
  9001: 'The provider approved the verification',
  9102: 'The provider declined the verification',
  9103: 'The provider asked the user to submit again',
  9104: 'The user did not finish before the session expired',
  9121: 'The provider is reviewing the verification manually',
}

/** The provider's documented reasons for declining, and for requesting a resubmission. Integrations can have others. */
const reasons: Record<string, string> = {
  101: 'No physical document was used',
  102: 'The document looks tampered with',
  103: 'The face does not match the document',
  104: 'The name does not match the document',
  105: 'The user behaved suspiciously',
  106: 'The user or the document is linked to known fraud',
  108: 'Too many verifications came from the same source',
  109: 'Too many verifications came from the same source',
  110: 'Too many verifications came from the same source',
  111: 'The session was accessed fraudulently',
  112: 'The IP address is in a restricted location',
  113: 'The user is suspected of identity farming',
  129: 'The session took an invalid course',
  201: 'Photos are missing',
  204: 'The photos are too poor to read',
  205: 'The document is damaged',
  206: 'This type of document is not supported',
  207: 'The document has expired',
  530: 'The user is under 13',
  531: 'The user is under 14',
  532: 'The user is under 16',
  533: 'The user is under 18',
  534: 'The user is under 20',
  535: 'The user is under 21',
  536: 'The user is under 25',
  539: 'The user had to submit too many times',
}

/** Those that are known, by code, such as `{ reasonCode: '102', description: 'The document looks tampered with' }`. */
export const decisionReasons = Object.entries(reasons).map(([reasonCode, description]) => ({
  reasonCode,
  description,
}))

/** A code in words; null for none, and for one that is not known. */
export function describeCode(code: number | null): string | null {
  return code === null ? null : (codes[code] ?? null)
}

/** A reason code in words; null for none, and for one that is not known. */
export function describeReason(reasonCode: string | null): string | null {
  return reasonCode === null ? null : (reasons[reasonCode] ?? null)
}
