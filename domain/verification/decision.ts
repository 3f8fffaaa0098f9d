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
  if (source === 'service') return 'The session expired without a decision'
  return describeCode(code) ?? describeCode(usualCodes[status])
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

/**
 * In a few words, for a list: why a verification was not approved, or what a resubmission is for. Null if there is nothing to
 * explain, or no reason is known.
 */
export function summarizeReason(
  { status, completedAt }: { status: VerificationStatus; completedAt: Date | null },
  timeline: readonly VerificationChange[],
): string | null {
  const applied = timeline.filter(change => change.applied)
  const code = applied.at(-1)?.reason_code ?? null
  if (status === 'denied' || (status === 'resubmission' && !completedAt)) return summarizeCode(code)
  if (!completedAt || status === 'approved') return null
  return summarizeCode(code) ?? summarizeEnd(applied.map(change => change.status))
}

/** A reason code in a few words; null for none. */
export function summarizeCode(reasonCode: string | null): string | null {
  return reasonCode && (reasons[reasonCode]?.[0] ?? `Reason ${reasonCode}`)
}

/** How far the user came in a verification that ended without a decision. */
function summarizeEnd(steps: readonly VerificationStatus[]): string {
  const again = steps.lastIndexOf('resubmission')
  if (steps.lastIndexOf('submitted') > again) return 'No decision in time'
  if (again >= 0) return 'Did not submit again'
  return steps.includes('started') ? 'Gave up before submitting' : 'Never opened'
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

/** What to do about a denial, and what to tell the user: no reason that would help those who cheat. */
const advice = {
  original: 'Offer another verification, and ask for the document itself, not a copy or a picture of it.',
  name: 'Offer another verification, and ask for the name as it is in the document.',
  network: 'Offer another verification, and ask the user to turn off a VPN, or to use another network.',
  uninterrupted: 'Offer another verification, and ask the user to finish it in one go, on one device.',
  complete: 'Offer another verification, and ask for every picture that the page asks for.',
  readable: 'Offer another verification, and ask for sharp pictures of the whole document in good light.',
  undamaged: 'Offer another verification, and ask for a document that is not damaged.',
  supported: 'Offer another verification, and ask for a passport, an identity card or a driving license.',
  valid: 'Offer another verification, and ask for a document that has not expired.',
  suspected:
    'Say that the age could not be confirmed, and whom to ask. The reason would help those who cheat.',
  minor: 'Say that only adults are admitted. Another verification would come to the same result.',
  threshold: 'Say that the age could not be confirmed. Ask the operator why another age than 18 is checked.',
  unknown: 'Say that the age could not be confirmed, whom to ask, and that another document can help.',
}

/**
 * The provider's documented reasons for declining, and for requesting a resubmission. Integrations can have others. In a few
 * words, in a sentence, and by the advice.
 */
const reasons: Record<string, [words: string, description: string, advice: keyof typeof advice]> = {
  101: ['No physical document', 'No physical document was used', 'original'],
  102: ['Document tampered with', 'The document looks tampered with', 'suspected'],
  103: ['Face does not match', 'The face does not match the document', 'suspected'],
  104: ['Name does not match', 'The name does not match the document', 'name'],
  105: ['Suspicious behavior', 'The user behaved suspiciously', 'suspected'],
  106: ['Linked to fraud', 'The user or the document is linked to known fraud', 'suspected'],
  108: ['Same person again', 'The same person had too many verifications', 'suspected'],
  109: ['Same device again', 'The same device was used in too many verifications', 'suspected'],
  110: ['Same document again', 'The same document was used in too many verifications', 'suspected'],
  111: ['Session taken over', 'The session was accessed fraudulently', 'suspected'],
  112: ['Restricted location', 'The IP address is in a restricted location', 'network'],
  113: ['Identity farming', 'The user is suspected of identity farming', 'suspected'],
  129: ['Invalid course', 'The session took an invalid course', 'uninterrupted'],
  201: ['Photos missing', 'Photos are missing', 'complete'],
  204: ['Photos too poor', 'The photos are too poor to read', 'readable'],
  205: ['Document damaged', 'The document is damaged', 'undamaged'],
  206: ['Document not supported', 'This type of document is not supported', 'supported'],
  207: ['Document expired', 'The document has expired', 'valid'],
  530: ['Under 13', 'The user is under 13', 'minor'],
  531: ['Under 14', 'The user is under 14', 'minor'],
  532: ['Under 16', 'The user is under 16', 'minor'],
  533: ['Under 18', 'The user is under 18', 'minor'],
  534: ['Under 20', 'The user is under 20', 'threshold'],
  535: ['Under 21', 'The user is under 21', 'threshold'],
  536: ['Under 25', 'The user is under 25', 'threshold'],
  539: ['Too many attempts', 'The user had to submit too many times', 'readable'],
}

/** Those that are known, by code, such as `{ reasonCode: '102', description: 'The document looks tampered with' }`. */
export const decisionReasons = Object.entries(reasons).map(([reasonCode, [, description]]) => ({
  reasonCode,
  description,
}))

/** What to tell a user who was denied, for whatever reason or none. */
export function adviseOn(reasonCode: string | null): string {
  return advice[reasons[reasonCode ?? '']?.[2] ?? 'unknown']
}

/** A code in words; null for none, and for one that is not known. */
export function describeCode(code: number | null): string | null {
  return code === null ? null : (codes[code] ?? null)
}

/** A reason code in words; null for none, and for one that is not known. */
export function describeReason(reasonCode: string | null): string | null {
  return reasonCode === null ? null : (reasons[reasonCode]?.[1] ?? null)
}
