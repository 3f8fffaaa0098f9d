import type { ProviderResult } from '#domain/provider-result.ts'

/** Payloads as in Veriff's documentation. Arguments override fields; `undefined` removes one. */
export const sessionId = '3f0c6f0e-6c0b-4b53-9a0c-0d8f2c1b7a11'
export const attemptId = '66666666-7777-4888-8999-aaaaaaaaaaaa'
export const vendorData = '019aa0d4-5b7e-7c33-9d55-1f6b7f6a2c10'

const person = {
  firstName: 'ANNA',
  lastName: 'EXAMPLE',
  gender: null,
  citizenship: null,
  yearOfBirth: '1990',
}
const document = { type: 'PASSPORT', number: 'X1234567', country: 'EE', validUntil: '2030-01-01' }

/** What `decisionBody` says. */
export const approved: ProviderResult = {
  providerSessionId: sessionId,
  vendorData,
  attemptId,
  outcome: 'approved',
  code: 9001,
  reasonCode: null,
  score: null,
  decidedAt: new Date('2026-03-01T10:03:12.123Z'),
  hasWrongTime: false,
  over18: true,
  ageBasis: 'date',
}

/** The decision webhook. The response of a poll is the same without `technicalData`. */
export function decisionBody(fields: Record<string, unknown> = {}): unknown {
  const verification = {
    id: sessionId,
    attemptId,
    status: 'approved',
    code: 9001,
    reason: null,
    reasonCode: null,
    vendorData,
    endUserId: null,
    acceptanceTime: '2026-03-01T10:00:00.000000Z',
    decisionTime: '2026-03-01T10:03:12.123456Z',
    person: { ...person, dateOfBirth: '1990-02-03' },
    document,
    comments: [],
    additionalVerifiedData: {},
    riskLabels: [{ label: 'vpn', category: 'network', sessionIds: [] }],
  }
  return {
    status: 'success',
    verification: { ...verification, ...fields },
    technicalData: { ip: '203.0.113.9' },
  }
}

/** The Full Auto webhook. `fields` override `data.verification`, `envelope` the top level. */
export function fullAutoBody(
  fields: Record<string, unknown> = {},
  envelope: Record<string, unknown> = {},
): unknown {
  const dateOfBirth = { value: '1990-02-03', confidenceCategory: 'high', sources: ['VIZ', 'MRZ'] }
  const firstName = { value: 'ANNA', confidenceCategory: 'high', sources: ['VIZ'] }
  const verification = { decision: 'approved', decisionScore: 0.93, person: { firstName, dateOfBirth } }
  return {
    status: 'success',
    eventType: 'fullauto',
    sessionId,
    attemptId,
    vendorData,
    endUserId: null,
    version: '1.0.0',
    time: '2026-03-01T10:03:12.123456Z',
    ...envelope,
    data: { verification: { ...verification, ...fields } },
  }
}
