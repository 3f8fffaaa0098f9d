import type { InspectedDelivery, InspectedVerification } from '#domain/inspection/inspect-verification.ts'
import { describeCode, describeReason } from '#domain/verification/decision.ts'
import type { TimelineEntry } from '#domain/verification/get-verification-timeline.ts'
import type { GivenUpReason } from '#domain/webhook/log-given-up.ts'
import type { FailureReason } from '#server/webhooks/http/attempt-error.ts'
import type { TlsFault } from '#server/webhooks/http/tls-fault.ts'

/** One sentence: what the verification's status is, since when, and why. */
export function explainStatus({ status, completedAt, closesAt, changes }: InspectedVerification): string {
  const change = changes.findLast(({ applied }) => applied)
  const cause = change ? describeCause(change) : 'no event of the provider has arrived'
  if (completedAt) return `${capitalize(status)} since ${completedAt.toISOString()}: ${cause}.`
  const end = closesAt ? `; without a decision, it is completed at ${closesAt.toISOString()}` : ''
  return `${capitalize(status)}, not completed: ${cause}${end}.`
}

/** One sentence: when the tenant was notified of the completion, or why it was not. */
export function explainNotification({ completedAt, delivery }: InspectedVerification): string {
  if (!completedAt) return 'The tenant is notified when the verification is completed.'
  if (!delivery) {
    return 'No delivery is stored: it is deleted 24 hours after the completion, and there is none if the tenant had no webhook URL. The log has a line for each attempt.'
  }
  const { state, attempts, attemptedAt, failure, dueAt } = delivery
  const at = attemptedAt?.toISOString()
  if (state === 'delivered') return `The tenant was notified at ${at}, by attempt ${attempts}.`
  const unsent = failure && unsentReasons[failure]
  if (unsent) return `The tenant was not notified: ${attempts} attempts were made, and ${unsent}.`
  const last = failure ? `; the last one failed at ${at}: ${describeFailure(failure)}` : ''
  if (state === 'failed') return `The tenant was not notified: ${attempts} attempts were made${last}.`
  if (state === 'in_flight') return `Attempt ${attempts} to notify the tenant is under way.`
  return `The tenant is not notified yet: ${attempts} of 3 attempts were made${last}. The next one is due at ${dueAt.toISOString()}.`
}

/** When the receiver accepted the event; null if it has not. */
export function notifiedAt(delivery: InspectedDelivery | null): Date | null {
  return delivery?.state === 'delivered' ? delivery.attemptedAt : null
}

/** Why an attempt failed. */
function describeFailure(failure: string): string {
  const status = /^status_(\d+)$/.exec(failure)?.[1]
  return status === undefined ? (failures[failure] ?? failure) : `the receiver responded with ${status}`
}

const failures: Record<string, string> = {
  timeout: 'the receiver did not respond in time',
  dns: "the receiver's host name could not be resolved",
  tls: 'no TLS connection with a valid certificate',
  tls_expired: "the receiver's certificate has expired",
  tls_not_yet_valid: "the receiver's certificate is not valid yet",
  tls_wrong_host: "the receiver's certificate is for another host name",
  tls_self_signed: "the receiver's certificate is self-signed",
  tls_unknown_authority: "the receiver's certificate is from an authority that is not trusted",
  tls_incomplete_chain:
    "the receiver's certificate came without its intermediate, or its authority is not trusted",
  tls_invalid_certificate: "the receiver's certificate is not acceptable: its purpose, key or signature",
  tls_handshake: 'the TLS handshake with the receiver failed',
  connect: 'no connection to the receiver',
  malformed_response: 'the response was not HTTP',
  blocked_address: "the receiver's address is not public",
  interrupted: 'the worker was interrupted',
  error: 'an internal error, which the log has',
} satisfies Record<Exclude<FailureReason, 'status'> | `tls_${TlsFault}` | 'interrupted' | 'error', string>

/** Why an event was given up without a further attempt. */
const unsentReasons: Record<string, string> = {
  expired: '24 hours had passed',
  no_url: 'the tenant had no webhook URL any more',
} satisfies Partial<Record<GivenUpReason, string>>

function describeCause({ source, code, reasonCode }: TimelineEntry): string {
  if (source === 'tenant') return 'the tenant reported that the user came back from the hosted page'
  if (source === 'service') return 'its lifetime ended without a final decision of the provider'
  const words = describeCode(code)
  const unknown = code === null ? 'the provider decided' : `the provider reported ${code}`
  const reported = words ? `${uncapitalize(words)} (${code})` : unknown
  if (reasonCode === null) return reported
  const reason = describeReason(reasonCode)
  return `${reported} with reason ${reasonCode}${reason ? `: ${uncapitalize(reason)}` : ''}`
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function uncapitalize(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
