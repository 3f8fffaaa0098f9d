import { statement } from '../database/statement.ts'
import { ProviderUnavailable } from '../ports.ts'
import type { Scope } from '../scope.ts'
import { recordProviderResult } from './record-provider-result.ts'
import { runConcurrently } from './run-concurrently.ts'

/** Rows taken at once, and asked about side by side. */
const batch = 20
/** Longer than the provider's deadline of 10 s: nobody else asks meanwhile, and a killed worker's row comes back. */
const leaseMs = 30_000
/** Seconds until the provider is asked again, after the first, second, … answer without a decision. */
const backoffSeconds = [5, 10, 20, 60, 300, 900, 3600]

interface Due {
  id: string
  providerSessionId: string
  asksInVain: number
}

const takeDue = statement<Due>(
  'take-verifications-to-ask-about',
  `update verification set ask_provider_at = $2 where id in (
     select id from verification where ask_provider_at <= $1 order by ask_provider_at limit $3 for update skip locked
   ) returning id, provider_session_id as "providerSessionId", asks_in_vain as "asksInVain"`,
)

// Only under the own lease: a submit that came meanwhile has it asked anew.
const askAgain = statement(
  'ask-provider-again',
  `update verification set ask_provider_at = $3::timestamptz,
     asks_in_vain = case when $3::timestamptz is null then 0 else asks_in_vain + 1 end
   where id = $1 and ask_provider_at = $2`,
)

/** Asks the provider for decisions that are due to be asked for. Answers with their number. */
export async function pollProvider(scope: Scope): Promise<number> {
  const leaseUntil = new Date(scope.now.getTime() + leaseMs)
  const due = await takeDue(scope.pool, [scope.now, leaseUntil, batch])
  await runConcurrently(due, verification => ask(scope, verification, leaseUntil))
  return due.length
}

async function ask(scope: Scope, verification: Due, leaseUntil: Date): Promise<void> {
  const { id, providerSessionId, asksInVain } = verification
  const decision = await fetchDecision(scope, id, providerSessionId)
  const recorded = decision && (await recordProviderResult(scope, decision))
  const isAnswered = recorded === 'moved' && decision?.outcome !== 'review'
  const seconds = isAnswered ? undefined : backoffSeconds[asksInVain]
  const next = seconds === undefined ? null : new Date(scope.clock().getTime() + seconds * 1000)
  await askAgain(scope.pool, [id, leaseUntil, next])
}

/** A provider that is away is asked again later, as one that has no decision yet. */
async function fetchDecision(scope: Scope, verificationId: string, providerSessionId: string) {
  try {
    return await scope.provider.fetchDecision(providerSessionId)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    scope.log.warn(
      { verificationId, reason: error.message },
      'The provider could not be asked for a decision',
    )
    return undefined
  }
}
