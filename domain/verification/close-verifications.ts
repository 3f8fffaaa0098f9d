import { statement } from '../database/statement.ts'
import { ProviderUnavailable } from '../ports.ts'
import type { Scope } from '../scope.ts'
import { changeVerification } from './change-verification.ts'
import { recordProviderResult } from './record-provider-result.ts'

/** Rows taken at once, and closed side by side. */
const batch = 20
/** Seconds until a verification whose provider is away is tried again: also the lease of the worker that took it. */
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
  `update verification set asks_in_vain = asks_in_vain + 1,
     closes_at = $1::timestamptz + least($3 * power(2, least(asks_in_vain, 10)), $4) * interval '1 second'
   where id in (
     select id from verification where completed_at is null and closes_at <= $1::timestamptz
     order by closes_at limit $2 for update skip locked
   ) returning id, provider_session_id as "providerSessionId", asks_in_vain as tries`,
)

/**
 * Completes verifications whose lifetime is over. The provider is asked first, in case a callback was lost.
 * Answers with the number of those that were due.
 */
export async function closeVerifications(scope: Scope): Promise<number> {
  const due = await takeDue(scope.pool, [scope.now, batch, retrySeconds, retrySecondsMax])
  await Promise.all(due.map(verification => close(scope, verification)))
  return due.length
}

async function close(scope: Scope, { id, providerSessionId, tries }: Due): Promise<void> {
  try {
    const decision = await scope.provider.fetchDecision(providerSessionId)
    if (decision) await recordProviderResult(scope, decision)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    scope.log.warn(
      { verificationId: id, tries, reason: error.message },
      'The provider could not be asked at closing',
    )
    if (tries < triesMax) return
  }
  await changeVerification(scope, id, { by: 'service', outcome: 'lifetime_over' })
}
