import type { Registry } from 'prom-client'
import { ProviderUnavailable, providerFailures } from '#domain/ports.ts'
import { observeCalls } from '../../telemetry/observe-calls.ts'

export type ObserveCall = ReturnType<typeof observeProvider>

/** Returns the function that makes calls to the provider, with the duration and the result of each counted. */
export function observeProvider(registry: Registry) {
  return observeCalls({
    registry,
    name: 'age_verification_provider_request_duration_seconds',
    help: 'Seconds that calls to the identity provider took, by operation and result',
    label: 'operation',
    calls: ['create_session', 'fetch_decision'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    // `error`: an internal error.
    failures: [...providerFailures, 'error'],
    classify: error => (error instanceof ProviderUnavailable ? error.failure : 'error'),
  })
}
