import type { ProviderResult } from '#domain/provider-result.ts'
import { decisionCodes, eventCodes, type Report, type Session } from './session.ts'

/** What the service records of a session, with the codes that Veriff would send. */
export function toResult(session: Session, report: Report): ProviderResult {
  const { id: providerSessionId, verificationId: vendorData, attempts, decision } = session
  const ids = { providerSessionId, vendorData, score: null }
  if (report === 'decision') {
    const { attemptId, status, reasonCode, decisionTime, ageYears } = decision!
    const over18 = ageYears === null ? null : ageYears >= 18
    const ageBasis = ageYears === null ? 'none' : 'date'
    const decidedAt = new Date(decisionTime)
    const decided = { attemptId, outcome: status, code: decisionCodes[status], reasonCode, decidedAt }
    return { ...ids, ...decided, over18, ageBasis }
  }
  return {
    ...ids,
    attemptId: attempts.at(-1)!.id,
    outcome: report,
    code: eventCodes[report],
    reasonCode: null,
    decidedAt: null,
    over18: null,
    ageBasis: 'none',
  }
}
