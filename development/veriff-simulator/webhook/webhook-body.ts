import { currentAttempt, type Decision, type Session } from '../session.ts'
import type { Webhook } from './delivery.ts'

const eventCodes = { started: 7001, submitted: 7002 }

/** The event webhook of the current attempt; events contain no time. */
export function eventWebhook(session: Session, action: keyof typeof eventCodes): Webhook {
  const body = JSON.stringify({
    id: session.id,
    attemptId: currentAttempt(session)?.id,
    feature: 'selfid',
    code: eventCodes[action],
    action,
    vendorData: session.vendorData,
    endUserId: session.endUserId,
  })
  return { title: `Event ${eventCodes[action]} ${action}`, body }
}

/** The decision webhook; polling returns the same object, without `technicalData`. */
export function decisionWebhook(session: Session, decision: Decision): Webhook {
  const body = JSON.stringify({
    status: 'success',
    verification: presentDecision(session, decision),
    technicalData: { ip: '203.0.113.9' },
  })
  return { title: `Decision ${decision.code} ${decision.status.replace('_', ' ')}`, body }
}

export function presentDecision(session: Session, decision: Decision): Record<string, unknown> {
  const ended = decision.status === 'expired' || decision.status === 'abandoned'
  return {
    id: session.id,
    attemptId: decision.attemptId,
    status: decision.status,
    code: decision.code,
    reason: decision.reason,
    reasonCode: decision.reasonCode,
    vendorData: session.vendorData,
    endUserId: session.endUserId,
    acceptanceTime: microseconds(session.createdAt),
    decisionTime: microseconds(decision.decisionTime),
    person: ended ? null : presentPerson(decision),
    document: ended ? null : exampleDocument,
    comments: [],
    additionalVerifiedData: decision.estimatedAge === null ? {} : { estimatedAge: decision.estimatedAge },
    riskLabels: [],
  }
}

/** The only webhook of Full Auto integrations: no codes and no reasons, but a score, and values as objects. */
export function fullAutoWebhook(session: Session, decision: Decision): Webhook {
  const body = JSON.stringify({
    status: 'success',
    eventType: 'fullauto',
    sessionId: session.id,
    attemptId: decision.attemptId,
    vendorData: session.vendorData,
    endUserId: session.endUserId,
    version: '1.0.0',
    acceptanceTime: session.createdAt,
    time: decision.decisionTime,
    data: {
      verification: {
        decision: decision.status,
        decisionScore: decision.decisionScore,
        person: {
          firstName: fullAutoValue('ANNA'),
          lastName: fullAutoValue('EXAMPLE'),
          dateOfBirth: fullAutoValue(decision.dateOfBirth),
        },
        document: {
          type: fullAutoValue('passport'),
          country: fullAutoValue('EE'),
          number: fullAutoValue('X1234567'),
        },
        insights: [],
      },
    },
  })
  return { title: `Full Auto decision ${decision.status}`, body }
}

function fullAutoValue(content: string | null): Record<string, unknown> | null {
  return content === null ? null : { value: content, confidenceCategory: 'high', sources: ['VIZ', 'MRZ'] }
}

const exampleDocument = {
  type: 'PASSPORT',
  number: 'X1234567',
  country: 'EE',
  state: null,
  validFrom: null,
  validUntil: '2030-01-01',
  placeOfIssue: null,
  firstIssue: null,
  issueNumber: null,
  issuedBy: null,
}

/** A fictitious person; only the date of birth varies. */
function presentPerson(decision: Decision): Record<string, unknown> {
  return {
    firstName: 'ANNA',
    lastName: 'EXAMPLE',
    dateOfBirth: decision.dateOfBirth,
    gender: null,
    idNumber: null,
    nationality: null,
    citizenship: null,
    yearOfBirth: decision.dateOfBirth?.slice(0, 4) ?? null,
    placeOfBirth: null,
    pepSanctionMatch: null,
    addresses: [],
  }
}

/** The provider's times have three or six fractional digits. */
function microseconds(time: string): string {
  return time.replace(/\.(\d{3})Z$/, '.$1000Z')
}
