import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { mayPass, refusalOf } from './refusal.ts'

/** Reads are repeated twice where that may help; changes never, because they may have been made. */
export function createQueryClient(onSignInEnded: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (refusalOf(error).code === 'UNAUTHENTICATED_TENANT') onSignInEnded()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < 2 && mayPass(refusalOf(error)),
        retryDelay: retryDelayMs,
      },
    },
  })
}

function retryDelayMs(failures: number, error: unknown): number {
  const { retryAfterSeconds } = refusalOf(error)
  return Math.min((retryAfterSeconds ?? 2 ** failures) * 1_000, 15_000)
}
