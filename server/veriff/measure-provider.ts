import { Histogram, type Registry } from 'prom-client'
import {
  type IdentityProvider,
  type ProviderFailure,
  ProviderUnavailable,
  providerFailures,
} from '#domain/ports.ts'

type Operation = 'create_session' | 'fetch_decision'

/** `error`: an internal error. */
type Result = 'success' | ProviderFailure | 'error'

const operations: readonly Operation[] = ['create_session', 'fetch_decision']
const results: readonly Result[] = ['success', ...providerFailures, 'error']

/** The provider, with the duration and the result of each call counted. */
export function measureProvider(provider: IdentityProvider, registry: Registry): IdentityProvider {
  const durations = new Histogram({
    name: 'age_verification_provider_request_duration_seconds',
    help: 'Seconds that calls to the identity provider took, by operation and result',
    labelNames: ['operation', 'result'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  for (const operation of operations) for (const result of results) durations.zero({ operation, result })

  async function measure<Reply>(operation: Operation, call: () => Promise<Reply>): Promise<Reply> {
    const startedAt = performance.now()
    let result: Result = 'success'
    try {
      return await call()
    } catch (error) {
      result = error instanceof ProviderUnavailable ? error.failure : 'error'
      throw error
    } finally {
      durations.observe({ operation, result }, (performance.now() - startedAt) / 1_000)
    }
  }
  return {
    name: provider.name,
    createSession: request => measure('create_session', () => provider.createSession(request)),
    fetchDecision: sessionId => measure('fetch_decision', () => provider.fetchDecision(sessionId)),
    // Only the operator's command line deletes sessions, and it exports no metrics.
    deleteSession: sessionId => provider.deleteSession(sessionId),
  }
}
