import { z } from 'zod'
import { type ProviderResult, providerOutcomes } from '#domain/provider-result.ts'
import {
  attemptId,
  code,
  decisionFields,
  evaluateDecision,
  identifier,
  matchedIdentifier,
  timestamp,
} from './evaluate-decision.ts'

/**
 * Reads a parsed payload of Veriff's, whose kind is recognised by its shape. Undefined when the shape, code or status
 * is unknown, or when it names two sessions or two verifications. Never throws. `now` replaces a missing decision
 * time.
 */
export function readResult(body: unknown, now: Date): ProviderResult | undefined {
  return readDecision(body, now) ?? readFullAuto(body, now) ?? readEvent(body)
}

const decisionOutcome = z.enum(providerOutcomes).exclude(['started', 'submitted'])

const decisionBody = z.object({
  verification: z.object({
    ...decisionFields,
    id: identifier,
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
    outcome: verification.status,
    ...evaluateDecision(verification, body, now),
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
  const decision = {
    ...verification,
    attemptId: verification.attemptId ?? envelope.attemptId,
    vendorData: envelope.vendorData ?? verification.vendorData,
    decisionTime: verification.decisionTime ?? envelope.decisionTime ?? envelope.time,
  }
  return {
    providerSessionId,
    outcome: verification.decision,
    ...evaluateDecision(decision, body, now),
  }
}

const eventBody = z.object({
  id: identifier,
  attemptId,
  vendorData: matchedIdentifier,
  code: code.pipe(z.literal([7001, 7002])),
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

function differ(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other
}
