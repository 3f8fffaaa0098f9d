import { createTRPCClient, httpLink } from '@trpc/client'
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

/** Each call is a request of its own, so that none waits for a slower one, and each has its own status. */
export function createTrpcClient({ consoleUrl, fetch, tenantId }: ClientOptions) {
  return createTRPCClient<ConsoleRouter>({
    links: [
      httpLink({
        url: consoleUrl,
        headers: tenantId === undefined ? {} : { 'x-tenant-id': tenantId },
        fetch: (url, init) => fetch(url as string, init as RequestInit),
      }),
    ],
  })
}
