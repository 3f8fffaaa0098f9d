import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isRetryable, toConsoleError } from './console-error.ts'

/**
 * Retries queries twice on transient errors, and again when the browser is online. Mutations are never retried: they
 * may have taken effect. Neither waits for the network: a call fails at once and is reported. Polling stops while the
 * page is hidden.
 */
export function createQueryClient(onAccessDenied: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (accessErrors.has(toConsoleError(error).code)) onAccessDenied()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (failures, error) => failures < 2 && isRetryable(toConsoleError(error)),
        retryDelay: retryDelayMs,
      },
      mutations: { networkMode: 'always' },
    },
  })
}

/** The role, the membership or the tenant has changed since the session was loaded. */
const accessErrors = new Set<string | undefined>(['FORBIDDEN', 'TENANT_INACTIVE', 'TENANT_NOT_PROVISIONED'])

/** The time before the next attempt after `failures` earlier ones: what the service asks for, else 1 s, 2 s, 4 s, … */
export function retryDelayMs(failures: number, error: unknown): number {
  const { retryAfterSeconds } = toConsoleError(error)
  return retryAfterSeconds === undefined ? Math.min(2 ** failures, 15) * 1_000 : retryAfterSeconds * 1_000
}
