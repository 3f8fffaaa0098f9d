import type { Decision, Session } from '../session/session.ts'
import type { Webhook } from './delivery.ts'

/** The decision webhook; the poll answers with the same object, without `technicalData`. */
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

/** An invented person; only the date of birth is chosen. */
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

/** The provider's times have three or six digits after the point. */
function microseconds(time: string): string {
  return time.replace(/\.(\d{3})Z$/, '.$1000Z')
}
