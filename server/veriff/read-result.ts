import { z } from 'zod'
import type { ProviderResult } from '#domain/provider-result.ts'
import { isOver18 } from '#domain/verification/age.policy.ts'
import {
  attemptId,
  type Decision,
  decisionFields,
  decisionOutcome,
  identifier,
  matchedIdentifier,
  timestamp,
} from './payload-fields.ts'

/**
 * Reads a parsed payload of Veriff's, whose kind is recognised by its shape. Undefined when the shape, code or status
 * is unknown, or when it names two sessions or two verifications. Never throws. `now` replaces a missing decision
 * time.
 */
export function readResult(body: unknown, now: Date): ProviderResult | undefined {
  return readDecision(body, now) ?? readFullAuto(body, now) ?? readEvent(body)
}

const decisionBody = z.object({
  verification: z.object({
    ...decisionFields,
    id: identifier,
    vendorData: matchedIdentifier,
    status: decisionOutcome,
  }),
})

/** The decision webhook, and the response of a poll. Veriff's documents disagree on some codes, so the status counts. */
function readDecision(body: unknown, now: Date): ProviderResult | undefined {
  const parsed = decisionBody.safeParse(body)
  if (!parsed.success) return undefined
  const { verification } = parsed.data
  return {
    providerSessionId: verification.id,
    vendorData: verification.vendorData,
    outcome: verification.status,
    ...evaluateDecision(verification, now),
  }
}

const fullAutoBody = z.object({
  sessionId: matchedIdentifier,
  vendorData: matchedIdentifier,
  attemptId,
  decisionTime: timestamp,
  time: timestamp,
  data: z.object({
    verification: z.object({
      ...decisionFields,
      id: matchedIdentifier,
      vendorData: matchedIdentifier,
      decision: decisionOutcome,
    }),
  }),
})

/** The webhook of Full Auto integrations, which has its ids and times on either of two levels. */
function readFullAuto(body: unknown, now: Date): ProviderResult | undefined {
  const parsed = fullAutoBody.safeParse(body)
  if (!parsed.success) return undefined
  const { data, ...envelope } = parsed.data
  const { verification } = data
  const providerSessionId = envelope.sessionId ?? verification.id
  if (providerSessionId === null || differ(envelope.sessionId, verification.id)) return undefined
  if (differ(envelope.vendorData, verification.vendorData)) return undefined
  const attempt = verification.attemptId ?? envelope.attemptId
  const decisionTime = verification.decisionTime ?? envelope.decisionTime ?? envelope.time
  return {
    providerSessionId,
    vendorData: envelope.vendorData ?? verification.vendorData,
    outcome: verification.decision,
    ...evaluateDecision({ ...verification, attemptId: attempt, decisionTime }, now),
  }
}

const eventBody = z.object({
  id: identifier,
  attemptId,
  vendorData: matchedIdentifier,
  code: z.literal([7001, 7002]),
})

/** The event webhook: the user opened the flow (7001), or submitted everything (7002). */
function readEvent(body: unknown): ProviderResult | undefined {
  const parsed = eventBody.safeParse(body)
  if (!parsed.success) return undefined
  return {
    providerSessionId: parsed.data.id,
    vendorData: parsed.data.vendorData,
    attemptId: parsed.data.attemptId,
    outcome: parsed.data.code === 7001 ? 'started' : 'submitted',
    code: parsed.data.code,
    reasonCode: null,
    score: null,
    decidedAt: null,
    over18: null,
  }
}

/** How far Veriff's clock may be ahead. A later decision time is ignored, because it would add to a person's age. */
const clockSkewMsMax = 24 * 60 * 60 * 1000

type EvaluatedDecision = Omit<ProviderResult, 'providerSessionId' | 'vendorData' | 'outcome'>

/** Where personal data ends: takes the date of birth, and returns only whether the person is 18 or over. */
function evaluateDecision(decision: Decision, now: Date): EvaluatedDecision {
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

function differ(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other
}
