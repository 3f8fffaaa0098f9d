import {
  type Decision,
  decisionCodes,
  eventCodes,
  type Report,
} from '#server/providers/test-provider/session.ts'
import type { VeriffSession } from './memory-sessions.ts'
import type { DecisionValues } from './scripted-decision.ts'

export interface Webhook {
  sessionId: string
  /** A short description for people and logs. */
  title: string
  /** The exact text to sign and send. */
  body: string
}

type VeriffDecision = Decision & { values?: DecisionValues }

/** What the provider sends when a session changes. */
export function toWebhook(session: VeriffSession, report: Report): Webhook {
  if (report !== 'decision') return eventWebhook(session, report)
  const decision: VeriffDecision = session.decision!
  const { shape, decisionScore } = decision.values ?? {}
  const isFullAuto = shape === 'full-auto' || decisionScore !== undefined
  return (isFullAuto ? fullAutoWebhook : decisionWebhook)(session, decision)
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
function decisionWebhook(session: VeriffSession, decision: VeriffDecision): Webhook {
  const verification = presentDecision(session, decision)
  const body = { status: 'success', verification, technicalData: { ip: '203.0.113.9' } }
  const { status } = decision
  const title = `Decision ${decisionCodes[status]} ${status.replace('_', ' ')}`
  return { sessionId: session.id, title, body: JSON.stringify(body) }
}

export function presentDecision(
  { id, vendorData, createdAt }: VeriffSession,
  decision: VeriffDecision,
): Record<string, unknown> {
  const { status } = decision
  const { attemptId, reasonCode, decisionTime, dateOfBirth, estimatedAge } = readValues(decision)
  const ended = status === 'expired' || status === 'abandoned'
  return {
    id,
    attemptId,
    status,
    code: decisionCodes[status],
    reason: reasons[decision.reasonCode ?? ''] ?? null,
    reasonCode,
    vendorData,
    endUserId: null,
    acceptanceTime: microseconds(createdAt),
    decisionTime: microseconds(decisionTime),
    person: ended ? null : { ...person, dateOfBirth, yearOfBirth: dateOfBirth?.slice(0, 4) ?? null },
    document: ended ? null : { ...document, state: null, validFrom: null, validUntil: '2030-01-01' },
    comments: [],
    additionalVerifiedData: estimatedAge === undefined ? {} : { estimatedAge },
    riskLabels: [],
  }
}

/** The only webhook of Full Auto integrations: no codes and no reasons, but a score, and values as objects. */
function fullAutoWebhook(session: VeriffSession, decision: VeriffDecision): Webhook {
  const { id: sessionId, vendorData, createdAt: acceptanceTime } = session
  const { status } = decision
  const { attemptId, decisionScore = null, dateOfBirth, decisionTime: time } = readValues(decision)
  const verification = {
    decision: status,
    decisionScore,
    person: fullAutoValues({ ...person, dateOfBirth }),
    document: fullAutoValues({ ...document, type: 'passport' }),
    insights: [],
  }
  const body = {
    status: 'success',
    eventType: 'fullauto',
    sessionId,
    attemptId,
    vendorData,
    endUserId: null,
    version: '1.0.0',
    acceptanceTime,
    time,
    data: { verification },
  }
  return { sessionId, title: `Full Auto decision ${status}`, body: JSON.stringify(body) }
}

/** What a script has set, and else what follows from the decision. */
function readValues({ attemptId, reasonCode, decisionTime, ageYears, values }: VeriffDecision) {
  return {
    attemptId,
    reasonCode: reasonCode === null ? null : Number(reasonCode),
    decisionTime,
    dateOfBirth: ageYears === null ? null : yearsBefore(new Date(decisionTime), ageYears),
    ...values,
  }
}

/** 'YYYY-MM-DD', at least half a year away from any birthday that a test may be about. */
function yearsBefore(now: Date, years: number): string {
  const birth = new Date(Date.UTC(now.getUTCFullYear() - years, now.getUTCMonth() - 6, 1))
  return birth.toISOString().slice(0, 10)
}

function fullAutoValues(fields: Record<string, string | null>): Record<string, object | null> {
  const wrap = (value: string) => ({ value, confidenceCategory: 'high', sources: ['VIZ', 'MRZ'] })
  const wrapped = Object.entries(fields).map(([name, value]) => [name, value === null ? null : wrap(value)])
  return Object.fromEntries(wrapped)
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
