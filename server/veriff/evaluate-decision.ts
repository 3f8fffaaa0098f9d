import type { ProviderResult } from '#domain/provider-result.ts'
import { isOver18 } from '#domain/verification/age.policy.ts'
import type { Decision } from './payload-fields.ts'

/** How far Veriff's clock may be ahead. A later decision time is ignored, because it would add to a person's age. */
const clockSkewMsMax = 24 * 60 * 60 * 1000

type EvaluatedDecision = Omit<ProviderResult, 'providerSessionId' | 'vendorData' | 'outcome'>

/** Where personal data ends: takes the date of birth, and returns only whether the person is 18 or over. */
export function evaluateDecision(decision: Decision, now: Date): EvaluatedDecision {
  const { decisionTime, person, additionalVerifiedData } = decision
  const isPlausible = decisionTime !== null && decisionTime.getTime() <= now.getTime() + clockSkewMsMax
  const decidedAt = isPlausible ? decisionTime : null
  const evidence = {
    dateOfBirth: person.dateOfBirth,
    estimatedAge: additionalVerifiedData.estimatedAge,
  }
  return {
    attemptId: decision.attemptId,
    code: decision.code,
    reasonCode: decision.reasonCode,
    score: decision.decisionScore,
    decidedAt,
    over18: isOver18(evidence, decidedAt ?? now),
  }
}
