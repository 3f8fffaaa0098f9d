import { ProviderUnavailable, type TestProvider } from '#domain/ports.ts'
import { providerDownUserAgent, type TestOutcome } from '#domain/simulated-session/test-outcome.ts'
import type { Outcome } from './session.ts'
import { decideSession, newSession, takeDown } from './session-actions.ts'
import { changeSession, findSession, insertSession, type Sessions } from './sessions.ts'
import { toResult } from './to-result.ts'

/** The identity provider of test verifications. */
export function createTestProvider(sessions: Sessions): TestProvider {
  return {
    name: 'veriff',
    async createSession({ verificationId, callback = null, userAgent }) {
      if (userAgent === providerDownUserAgent) {
        throw new ProviderUnavailable('unreachable', 'A test asked for it')
      }
      const { session, token } = newSession({ verificationId, callback }, sessions.now())
      await insertSession(sessions, session)
      return { providerSessionId: session.id, sessionUrl: `${sessions.pagesUrl}/${token}` }
    },
    async fetchDecision(id) {
      const session = await findSession(sessions, id)
      if (!session) return undefined
      if (session.isDown) throw new ProviderUnavailable('server_error', 'A test took the provider down')
      // There is none while another attempt is running.
      return session.decision?.status === session.status ? toResult(session, 'decision') : undefined
    },
    async chooseOutcome(id, { outcome, reasonCode }) {
      const action = outcome === 'provider_down' ? takeDown : decideSession(outcomes[outcome], reasonCode)
      const changed = await changeSession(sessions, id, action)
      return changed && { result: changed.report && toResult(changed.session, changed.report) }
    },
  }
}

const outcomes: Record<Exclude<TestOutcome, 'provider_down'>, Outcome> = {
  adult: 'approve-adult',
  minor: 'approve-minor',
  unknown_age: 'approve-unknown-age',
  denied: 'decline',
  resubmission: 'resubmission',
  in_review: 'review',
  expired: 'expire',
  abandoned: 'abandon',
}
