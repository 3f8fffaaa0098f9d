import { createTRPCClient, httpBatchLink } from '@trpc/client'
import type { inferRouterOutputs } from '@trpc/server'
import { createTRPCContext } from '@trpc/tanstack-react-query'
import type { ConsoleRouter } from '../../../console-api/router.ts'

export type Outputs = inferRouterOutputs<ConsoleRouter>

export const { TRPCProvider: TrpcProvider, useTRPC: useTrpc } = createTRPCContext<ConsoleRouter>()

interface ClientOptions {
  consoleUrl: string
  /** Resolves to undefined when the user is no longer signed in. */
  accessToken: () => Promise<string | undefined>
  /** Selects one of several memberships. */
  tenantId?: string | undefined
}

/** Fits a check of the longest valid URL, and the default limits of common proxies (8 kB). */
const requestUrlLengthMax = 4_000

export function createTrpcClient({ consoleUrl, accessToken, tenantId }: ClientOptions) {
  return createTRPCClient<ConsoleRouter>({
    links: [
      httpBatchLink({
        url: consoleUrl,
        maxURLLength: requestUrlLengthMax,
        headers: async () => {
          const token = await accessToken()
          return {
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...(tenantId === undefined ? {} : { 'x-tenant-id': tenantId }),
          }
        },
      }),
    ],
  })
}
