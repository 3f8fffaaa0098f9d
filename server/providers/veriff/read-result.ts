import { z } from 'zod'
import { type ProviderResult, providerOutcomes } from '#domain/provider-result.ts'
import { isAbsent } from '#domain/verification/age.policy.ts'
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
 * is unknown, when they contradict each other, when it is of another check, or when it has two results or names two sessions
 * or two verifications. Never throws. `now` replaces a missing decision time.
 */
export function readResult(body: unknown, now: Date): ProviderResult | undefined {
  if (formsOf(body).length > 1 || isOfOtherCheck(body)) return undefined
  return readDecision(body, now) ?? readFullAuto(body, now) ?? readEvent(body)
}

/** The user opened the flow, or submitted everything. */
const eventCodes = [7001, 7002] as const

/** The results that a body has, in any of the three forms, whether they are understood or not. */
function formsOf(body: unknown): unknown[] {
  const { verification, data, code } = envelope.safeParse(body).data ?? {}
  return [verification, data?.verification, code].filter(form => form !== undefined && form !== null)
}

const envelope = z.looseObject({
  verification: z.unknown().optional(),
  data: z.looseObject({ verification: z.unknown().optional() }).nullish().catch(null),
  code: code.pipe(z.literal(eventCodes)).optional().catch(undefined),
  eventType: z.unknown().optional(),
  feature: z.unknown().optional(),
})

/** Sessions can have other checks, such as one of the address, whose events look alike. */
function isOfOtherCheck(body: unknown): boolean {
  const { eventType, feature } = envelope.safeParse(body).data ?? {}
  return [eventType, feature].some(
    name => !isAbsent(name) && !/^(full[-_ ]?auto|decision|selfid)$/i.test(String(name)),
  )
}

/** The codes of decisions, by their status. Veriff's documents disagree on those of `abandoned`. */
const decisionCodes: Record<string, readonly number[]> = {
  approved: [9001],
  declined: [9102],
  resubmission_requested: [9103],
  expired: [9104],
  abandoned: [9104, 9121],
  review: [9121],
}

/** Whether it is the code of another status. An unknown code says nothing. */
function contradictsCode(outcome: string, code: number | null): boolean {
  const isKnown = Object.values(decisionCodes)
    .flat()
    .includes(code ?? 0)
  return isKnown && !decisionCodes[outcome]!.includes(code!)
}

const decisionOutcome = z.enum(providerOutcomes).exclude(['started', 'submitted'])

const decisionBody = z.object({
  verification: z.object({ ...decisionFields, id: identifier, status: decisionOutcome }),
})

/** The decision webhook, and the response of a poll. */
function readDecision(body: unknown, now: Date): ProviderResult | undefined {
  const parsed = decisionBody.safeParse(body)
  if (!parsed.success) return undefined
  const { verification } = parsed.data
  if (contradictsCode(verification.status, verification.code)) return undefined
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
    verification: z.object({ ...decisionFields, id: matchedIdentifier, decision: decisionOutcome }),
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
  if (contradictsCode(verification.decision, verification.code)) return undefined
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
  code: code.pipe(z.literal(eventCodes)),
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
    ageBasis: 'none',
  }
}

function differ(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other
}
