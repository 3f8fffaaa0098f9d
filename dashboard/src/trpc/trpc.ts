import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { createTRPCClient, httpLink } from '@trpc/client'
import type { inferRouterOutputs } from '@trpc/server'
import { createTRPCContext } from '@trpc/tanstack-react-query'
import type { ConsoleRouter } from '../../../console-api/router.ts'
import { isRepeated, retryDelayMs, toConsoleError, waitMaxSeconds } from '../components/console-error.ts'
import { ForeignResponse, readJson } from '../components/foreign-response.ts'
import { noteServiceTime } from '../components/service-clock.ts'

export type Outputs = inferRouterOutputs<ConsoleRouter>

export const {
  TRPCProvider: TrpcProvider,
  useTRPC: useTrpc,
  useTRPCClient: useTrpcClient,
} = createTRPCContext<ConsoleRouter>()

interface ClientOptions {
  consoleUrl: string
  /** Sends requests as the signed-in user. */
  fetch: (url: string | URL, init?: RequestInit) => Promise<Response>
  /** Selects one of several memberships. */
  tenantId?: string | undefined
}

/** Each call is a request of its own, so that none waits for a slower one, and each has its own status. */
export function createTrpcClient({ consoleUrl, fetch, tenantId }: ClientOptions) {
  return createTRPCClient<ConsoleRouter>({
    links: [
      httpLink({
        url: consoleUrl,
        headers: tenantId === undefined ? {} : { 'x-tenant-id': tenantId },
        fetch: fetchFromService(fetch),
      }),
    ],
  })
}

/**
 * Throws `ForeignResponse` for what the service did not write. While that asks to wait, no call is sent for a
 * minute at most, polls included. The service never redirects; a sign-in in front of it does, to a page of another origin.
 */
function fetchFromService(fetch: ClientOptions['fetch']) {
  let foreign: { response: Response; until: number } | undefined
  return async (url: RequestInfo | URL | string, init?: object) => {
    const sentAt = Date.now()
    const waitSeconds = Math.ceil(((foreign?.until ?? 0) - sentAt) / 1_000)
    if (foreign && waitSeconds > 0) throw new ForeignResponse(foreign.response, waitSeconds)
    const response = await fetch(url as string, { ...init, redirect: 'manual' })
    noteServiceTime(response, sentAt)
    try {
      const body = await readJson(response, 'result.data', 'error.data.error')
      return { ok: response.ok, json: async () => body }
    } catch (error) {
      const { retryAfterSeconds = 0 } = error as ForeignResponse
      foreign = { response, until: sentAt + Math.min(retryAfterSeconds, waitMaxSeconds) * 1_000 }
      throw error
    }
  }
}

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
        retry: (failures, error) => failures < 2 && isRepeated(error),
        retryDelay: retryDelayMs,
      },
      mutations: { networkMode: 'always' },
    },
  })
}

/** The role, the membership or the tenant has changed since the session was loaded. */
const accessErrors = new Set<string | undefined>(['FORBIDDEN', 'TENANT_INACTIVE', 'TENANT_NOT_PROVISIONED'])
