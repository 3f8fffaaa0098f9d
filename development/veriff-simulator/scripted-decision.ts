import type { Outcome } from '#server/providers/test-provider/session.ts'
import { type Action, decideSession } from '#server/providers/test-provider/session-actions.ts'

/** What a script wants a decision to say. What is absent follows from the outcome. */
export interface DecisionValues {
  /** 'YYYY-MM-DD', or any text that a test wants to be sent; null sends none. */
  dateOfBirth?: string | null
  estimatedAge?: number
  /** Implies the shape `full-auto`. */
  decisionScore?: number
  reasonCode?: number | string | null
  /** Now by default. */
  decisionTime?: string
  attemptId?: string
  shape?: 'decision' | 'full-auto'
}

/** Decides, and stores with the decision how it is sent. */
export function decideAs(outcome: Outcome, values: DecisionValues): Action {
  const decide = decideSession(outcome)
  return (session, now) => {
    const decided = decide(session, now)!
    const decision = { ...decided.session.decision!, values }
    return { ...decided, session: { ...decided.session, decision } }
  }
}
