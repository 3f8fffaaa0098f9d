import type { Decision, Session } from './session.ts'

export interface Webhook {
  sessionId: string
  /** A short description for people and logs. */
  title: string
  /** The exact text to sign and send. */
  body: string
}

const eventCodes = { started: 7001, submitted: 7002 }

/** The event webhook of the current attempt; events contain no time. */
export function eventWebhook(session: Session, action: keyof typeof eventCodes): Webhook {
  const code = eventCodes[action]
  const { id, attempts, vendorData, endUserId } = session
  const attemptId = attempts.at(-1)?.id
  const body = { id, attemptId, feature: 'selfid', code, action, vendorData, endUserId }
  return { sessionId: id, title: `Event ${code} ${action}`, body: JSON.stringify(body) }
}

/** The decision webhook; polling returns the same object, without `technicalData`. */
export function decisionWebhook(session: Session, decision: Decision): Webhook {
  const verification = presentDecision(session, decision)
  const body = { status: 'success', verification, technicalData: { ip: '203.0.113.9' } }
  const title = `Decision ${decision.code} ${decision.status.replace('_', ' ')}`
  return { sessionId: session.id, title, body: JSON.stringify(body) }
}

export function presentDecision(
  { id, vendorData, endUserId, createdAt }: Session,
  { attemptId, status, code, reason, reasonCode, decisionTime, dateOfBirth, estimatedAge }: Decision,
): Record<string, unknown> {
  const ended = status === 'expired' || status === 'abandoned'
  return {
    id,
    attemptId,
    status,
    code,
    reason,
    reasonCode,
    vendorData,
    endUserId,
    acceptanceTime: microseconds(createdAt),
    decisionTime: microseconds(decisionTime),
    person: ended ? null : { ...person, dateOfBirth, yearOfBirth: dateOfBirth?.slice(0, 4) ?? null },
    document: ended ? null : { ...document, state: null, validFrom: null, validUntil: '2030-01-01' },
    comments: [],
    additionalVerifiedData: estimatedAge === null ? {} : { estimatedAge },
    riskLabels: [],
  }
}

/** The only webhook of Full Auto integrations: no codes and no reasons, but a score, and values as objects. */
export function fullAutoWebhook(session: Session, decision: Decision): Webhook {
  const { id: sessionId, vendorData, endUserId, createdAt: acceptanceTime } = session
  const { attemptId, status, decisionScore, dateOfBirth, decisionTime: time } = decision
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
    endUserId,
    version: '1.0.0',
    acceptanceTime,
    time,
    data: { verification },
  }
  return { sessionId, title: `Full Auto decision ${status}`, body: JSON.stringify(body) }
}

function fullAutoValues(fields: Record<string, string | null>): Record<string, object | null> {
  const wrap = (value: string) => ({ value, confidenceCategory: 'high', sources: ['VIZ', 'MRZ'] })
  const wrapped = Object.entries(fields).map(([name, value]) => [name, value === null ? null : wrap(value)])
  return Object.fromEntries(wrapped)
}

/** A fictitious person; only the date of birth varies. */
const person = { firstName: 'ANNA', lastName: 'EXAMPLE' }
const document = { type: 'PASSPORT', number: 'X1234567', country: 'EE' }

/** The provider's times have three or six fractional digits. */
function microseconds(time: string): string {
  return time.replace(/\.(\d{3})Z$/, '.$1000Z')
}
