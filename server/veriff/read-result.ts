import { z } from 'zod'
import type { ProviderResult } from '#domain/verification/provider-result.ts'
import { fromJudgement } from './from-judgement.ts'
import {
  attemptId,
  decisionOutcome,
  identifier,
  instant,
  judgement,
  matchedIdentifier,
} from './payload-fields.ts'

/**
 * Reads a parsed payload of Veriff's, told apart by its shape; undefined where shape, code or status is none that
 * we know, or where it names two sessions or two owners. Never throws. `now` stands in for a missing decision
 * time.
 */
export function readResult(body: unknown, now: Date): ProviderResult | undefined {
  return readDecision(body, now) ?? readFullAuto(body, now) ?? readEvent(body)
}

const decisionBody = z.object({
  verification: z.object({
    ...judgement,
    id: identifier,
    vendorData: matchedIdentifier,
    status: decisionOutcome,
  }),
})

/** The decision webhook, and a poll's answer. The status decides: Veriff's pages differ on some of the codes. */
function readDecision(body: unknown, now: Date): ProviderResult | undefined {
  const parsed = decisionBody.safeParse(body)
  if (!parsed.success) return undefined
  const { verification } = parsed.data
  return {
    providerSessionId: verification.id,
    vendorData: verification.vendorData,
    outcome: verification.status,
    ...fromJudgement(verification, now),
  }
}

const fullAutoBody = z.object({
  sessionId: matchedIdentifier,
  vendorData: matchedIdentifier,
  attemptId,
  decisionTime: instant,
  time: instant,
  data: z.object({
    verification: z.object({
      ...judgement,
      id: matchedIdentifier,
      vendorData: matchedIdentifier,
      decision: decisionOutcome,
    }),
  }),
})

/** The one webhook of Full Auto integrations, whose ids and times stand on either of two levels. */
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
    ...fromJudgement({ ...verification, attemptId: attempt, decisionTime }, now),
  }
}

const eventBody = z.object({
  id: identifier,
  attemptId,
  vendorData: matchedIdentifier,
  code: z.literal([7001, 7002]),
})

/** The event webhook: the person opened the flow (7001), or handed everything in (7002). */
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

function differ(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other
}
