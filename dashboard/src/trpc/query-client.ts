import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isRetryable, toConsoleError } from './console-error.ts'

/** Retries queries twice on transient errors. Mutations are never retried: they may have taken effect. */
export function createQueryClient(onSessionExpired: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (toConsoleError(error).code === 'UNAUTHENTICATED_TENANT') onSessionExpired()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < 2 && isRetryable(toConsoleError(error)),
        retryDelay: retryDelayMs,
      },
    },
  })
}

function retryDelayMs(failures: number, error: unknown): number {
  const { retryAfterSeconds } = toConsoleError(error)
  return Math.min((retryAfterSeconds ?? 2 ** failures) * 1_000, 15_000)
}
