import { statement } from '../database/statement.ts'
import { ProviderUnavailable } from '../ports.ts'
import type { Scope } from '../scope.ts'
import { changeVerification } from './change-verification.ts'
import { recordProviderResult } from './record-provider-result.ts'
import { runConcurrently } from './run-concurrently.ts'

/** Rows taken at once, and closed side by side. */
const batch = 20
/** Longer than the provider's deadline of 10 s: nobody else closes it meanwhile, and a killed worker's row comes back. */
const leaseMs = 30_000
/** Seconds until a verification whose provider is away is tried again; doubled by each try, up to the latter. */
const retrySeconds = 30
const retrySecondsMax = 1800
/** With the delays above about a day; after it the verification is closed without the provider's word. */
const triesMax = 50

interface Due {
  id: string
  providerSessionId: string
  tries: number
}

const takeDue = statement<Due>(
  'take-verifications-to-close',
  `update verification set closes_at = $2 where id in (
     select id from verification where completed_at is null and closes_at <= $1
     order by closes_at limit $3 for update skip locked
   ) returning id, provider_session_id as "providerSessionId", closing_tries as tries`,
)

const closeLater = statement(
  'close-verification-later',
  `update verification set closes_at = $3, closing_tries = closing_tries + 1
   where id = $1 and closes_at = $2 and completed_at is null`,
)

/**
 * Completes verifications whose lifetime is over. The provider is asked first, in case a callback was lost.
 * Answers with the number of those that were due.
 */
export async function closeVerifications(scope: Scope): Promise<number> {
  const leaseUntil = new Date(scope.now.getTime() + leaseMs)
  const due = await takeDue(scope.pool, [scope.now, leaseUntil, batch])
  await runConcurrently(due, verification => close(scope, verification, leaseUntil))
  return due.length
}

async function close(scope: Scope, { id, providerSessionId, tries }: Due, leaseUntil: Date): Promise<void> {
  const isAsked = await recordDecision(scope, id, providerSessionId)
  if (isAsked || tries >= triesMax) {
    await changeVerification(scope, id, { by: 'service', outcome: 'lifetime_over' })
    return
  }
  const seconds = Math.min(retrySeconds * 2 ** tries, retrySecondsMax)
  await closeLater(scope.pool, [id, leaseUntil, new Date(scope.clock().getTime() + seconds * 1000)])
}

/** The decision that the provider has, if it has one, is recorded. False where the provider is away. */
async function recordDecision(
  scope: Scope,
  verificationId: string,
  providerSessionId: string,
): Promise<boolean> {
  try {
    const decision = await scope.provider.fetchDecision(providerSessionId)
    if (decision) await recordProviderResult(scope, decision)
    return true
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    scope.log.warn({ verificationId, reason: error.message }, 'The provider could not be asked at closing')
    return false
  }
}
