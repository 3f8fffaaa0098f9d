import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { mayPass, toDomainError } from './refusal.ts'

/** Reads are repeated twice where that may help; changes never, because they may have been made. */
export function createQueryClient(onSignInEnded: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (toDomainError(error).code === 'UNAUTHENTICATED_TENANT') onSignInEnded()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < 2 && mayPass(toDomainError(error)),
        retryDelay: retryDelayMs,
      },
    },
  })
}

function retryDelayMs(failures: number, error: unknown): number {
  const { retryAfterSeconds } = toDomainError(error)
  return Math.min((retryAfterSeconds ?? 2 ** failures) * 1_000, 15_000)
}
