import type { DeliveryPlan } from '#development/veriff-simulator/delivery.ts'
import type { Outcome } from '#server/providers/test-provider/session.ts'
import { findConclusion, type StartEntry } from '../judge/ledger.ts'
import type { Run } from '../run.ts'

/** Has the provider decide an acknowledged verification, and enters whether the service acknowledged its callback. */
export async function decide(
  { timeline, system }: Run,
  entry: StartEntry,
  outcome: Outcome,
  plan: DeliveryPlan,
): Promise<void> {
  const decision = { outcome, sentAt: timeline.now(), acknowledgedAt: undefined as number | undefined }
  const isCorrection = outcome === 'decline' && entry.decisions.some(one => one.outcome.startsWith('approve'))
  if (isCorrection) entry.tokenRevoked.sentAt = decision.sentAt
  entry.decisions.push(decision)
  const sent = await system.provider.act(entry.verificationId!, 'decide', { outcome, ...plan })
  const isAccepted = sent.some(({ title, state }) => title.startsWith('Decision') && state === 'accepted')
  if (!isAccepted || !findConclusion(outcome)) return
  decision.acknowledgedAt = timeline.now()
}
