import { z } from 'zod'
import { ProviderUnavailable } from '#domain/ports.ts'
import { type ProviderResult, providerOutcomes } from '#domain/provider-result.ts'
import { identifier } from './evaluate-decision.ts'
import { invalidResponse, parseResponse } from './read-response.ts'
import { readResult } from './read-result.ts'
import type { VeriffResponse } from './send-request.ts'
import { printStatus } from './unknown-status.ts'

export interface PolledSession {
  providerSessionId: string
  verificationId: string
}

/**
 * Reads the response to a poll, in the ids that were polled. Undefined while there is no decision. Throws
 * `ProviderUnavailable` for everything else: an unknown status can be a decision, and must not be taken for none.
 */
export function readDecision(
  response: VeriffResponse,
  { providerSessionId, verificationId }: PolledSession,
  now: Date,
): ProviderResult | undefined {
  const { verification } = parseResponse(response, decisionBody)
  if (verification === null) return undefined
  if (!isSame(verification.id, providerSessionId)) throw invalidResponse('the decision of another session')
  const { status } = verification
  if (undecided.has(status)) return undefined
  const result = readResult({ verification }, now)
  if (!result) throw unreadable(status)
  const isOurs = isSame(result.vendorData, verificationId)
  if (!isOurs) throw invalidResponse('the decision of another verification')
  return { ...result, providerSessionId, vendorData: verificationId }
}

/** Null while there is no decision. Loose, because `readResult` reads the other fields. */
const decisionBody = z.object({
  status: z.literal('success').optional(),
  verification: z.looseObject({ id: identifier, status: z.string() }).nullable(),
})

/** A session's statuses before it has a decision. */
const undecided: ReadonlySet<string> = new Set(['created', 'started', 'submitted'])

/** Ids are written in any case. */
function isSame(one: string | null, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase()
}

function unreadable(status: string): ProviderUnavailable {
  if ((providerOutcomes as readonly string[]).includes(status)) {
    return invalidResponse(`an unreadable decision, ${status}`)
  }
  return new ProviderUnavailable(
    'unknown_status',
    `Veriff returned the unknown status "${printStatus(status)}"`,
  )
}
