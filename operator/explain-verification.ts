import { describeCode, describeReason } from '#domain/verification/decision.ts'
import type { EventDelivery, TimelineEntry } from '#domain/verification/get-verification-timeline.ts'
import { describeFailure } from '#domain/webhook/delivery-failure.ts'
import type { InspectedVerification } from './queries/inspect-verification.ts'

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
  const words = failure && describeFailure(failure).description
  const isUnsent = failure === 'expired' || failure === 'no_url'
  if (isUnsent) return `The tenant was not notified: ${attempts} attempts were made, and ${words}.`
  const last = words ? `; the last one failed at ${at}: ${words}` : ''
  if (state === 'failed') return `The tenant was not notified: ${attempts} attempts were made${last}.`
  if (state === 'in_flight') return `Attempt ${attempts} to notify the tenant is under way.`
  return `The tenant is not notified yet: ${attempts} of 3 attempts were made${last}. The next one is due at ${dueAt.toISOString()}.`
}

/** When the receiver accepted the event; null if it has not. */
export function notifiedAt(delivery: EventDelivery | null): Date | null {
  return delivery?.state === 'delivered' ? delivery.attemptedAt : null
}

function describeCause({ source, code, reasonCode }: TimelineEntry): string {
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
