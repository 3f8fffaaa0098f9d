import {
  type Decision,
  decisionCodes,
  eventCodes,
  type Report,
} from '#server/providers/test-provider/session.ts'
import type { VeriffSession } from './memory-sessions.ts'

export interface Webhook {
  sessionId: string
  /** A short description for people and logs. */
  title: string
  /** The exact text to sign and send. */
  body: string
}

/** What the provider sends when a session changes. */
export function toWebhook(session: VeriffSession, report: Report): Webhook {
  return report === 'decision' ? decisionWebhook(session, session.decision!) : eventWebhook(session, report)
}

/** The event webhook of the current attempt; events contain no time. */
export function eventWebhook(session: VeriffSession, action: keyof typeof eventCodes): Webhook {
  const code = eventCodes[action]
  const { id, attempts, vendorData } = session
  const attemptId = attempts.at(-1)?.id
  const body = { id, attemptId, feature: 'selfid', code, action, vendorData, endUserId: null }
  return { sessionId: id, title: `Event ${code} ${action}`, body: JSON.stringify(body) }
}

/** The decision webhook; polling returns the same object, without `technicalData`. */
function decisionWebhook(session: VeriffSession, decision: Decision): Webhook {
  const verification = presentDecision(session, decision)
  const body = { status: 'success', verification, technicalData: { ip: '203.0.113.9' } }
  const { status } = decision
  const title = `Decision ${decisionCodes[status]} ${status.replace('_', ' ')}`
  return { sessionId: session.id, title, body: JSON.stringify(body) }
}

export function presentDecision(
  { id, vendorData, createdAt }: VeriffSession,
  decision: Decision,
): Record<string, unknown> {
  const { attemptId, status, reasonCode, decisionTime, ageYears } = decision
  const dateOfBirth = ageYears === null ? null : yearsBefore(new Date(decisionTime), ageYears)
  const ended = status === 'expired' || status === 'abandoned'
  return {
    id,
    attemptId,
    status,
    code: decisionCodes[status],
    reason: reasons[reasonCode ?? ''] ?? null,
    reasonCode: reasonCode === null ? null : Number(reasonCode),
    vendorData,
    endUserId: null,
    acceptanceTime: microseconds(createdAt),
    decisionTime: microseconds(decisionTime),
    person: ended ? null : { ...person, dateOfBirth, yearOfBirth: dateOfBirth?.slice(0, 4) ?? null },
    document: ended ? null : { ...document, state: null, validFrom: null, validUntil: '2030-01-01' },
    comments: [],
    additionalVerifiedData: {},
    riskLabels: [],
  }
}

/** 'YYYY-MM-DD', at least half a year away from any birthday that a test may be about. */
function yearsBefore(now: Date, years: number): string {
  const birth = new Date(Date.UTC(now.getUTCFullYear() - years, now.getUTCMonth() - 6, 1))
  return birth.toISOString().slice(0, 10)
}

const reasons: Record<string, string> = {
  106: 'Known fraud',
  204: 'Poor image quality',
  539: 'Resubmission limit exceeded',
}

/** A fictitious person; only the date of birth varies. */
const person = { firstName: 'ANNA', lastName: 'EXAMPLE' }
const document = { type: 'PASSPORT', number: 'X1234567', country: 'EE' }

/** The provider's times have three or six fractional digits. */
function microseconds(time: string): string {
  return time.replace(/\.(\d{3})Z$/, '.$1000Z')
}
