import { createTRPCClient, httpBatchLink } from '@trpc/client'
import type { inferRouterOutputs } from '@trpc/server'
import { createTRPCContext } from '@trpc/tanstack-react-query'
import type { ConsoleRouter } from '../../../console-api/router.ts'

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

/** Fits a check of the longest valid URL, and the default limits of common proxies (8 kB). */
const requestUrlLengthMax = 4_000

export function createTrpcClient({ consoleUrl, fetch, tenantId }: ClientOptions) {
  return createTRPCClient<ConsoleRouter>({
    links: [
      httpBatchLink({
        url: consoleUrl,
        maxURLLength: requestUrlLengthMax,
        headers: tenantId === undefined ? {} : { 'x-tenant-id': tenantId },
        fetch: (url, init) => fetch(url as string, init as RequestInit),
      }),
    ],
  })
}
