import { isOver18 } from '#domain/verification/age.policy.ts'
import type { ProviderResult } from '#domain/verification/provider-result.ts'
import type { Judgement } from './payload-fields.ts'

/** How far Veriff's clock may be ahead of ours; a later decision time is absurd, and would make people older. */
const clockSkewMsMax = 24 * 60 * 60 * 1000

type Judged = Omit<ProviderResult, 'providerSessionId' | 'vendorData' | 'outcome'>

/** Where personal data ends: the date of birth goes in, and only whether it makes an adult comes out. */
export function fromJudgement(judgement: Judgement, now: Date): Judged {
  const { decisionTime, person, additionalVerifiedData } = judgement
  const isCredible = decisionTime !== null && decisionTime.getTime() <= now.getTime() + clockSkewMsMax
  const decidedAt = isCredible ? decisionTime : null
  const evidence = {
    dateOfBirth: person.dateOfBirth,
    estimatedAge: additionalVerifiedData.estimatedAge,
  }
  return {
    attemptId: judgement.attemptId,
    code: judgement.code,
    reasonCode: judgement.reasonCode,
    score: judgement.decisionScore,
    decidedAt,
    over18: isOver18(evidence, decidedAt ?? now),
  }
}
