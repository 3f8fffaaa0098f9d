import { createTRPCClient, httpBatchLink } from '@trpc/client'
import type { ConsoleRouter } from '../../../console-api/router.ts'

interface ClientOptions {
  consoleUrl: string
  accessToken: () => Promise<string | undefined>
  /** Which of several memberships is meant. */
  tenantId?: string | undefined
}

export function createClient({ consoleUrl, accessToken, tenantId }: ClientOptions) {
  return createTRPCClient<ConsoleRouter>({
    links: [
      httpBatchLink({
        url: consoleUrl,
        maxURLLength: 2_000,
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
