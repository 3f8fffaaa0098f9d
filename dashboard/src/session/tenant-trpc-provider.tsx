import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useConfig } from '../config.ts'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { createQueryClient } from '../trpc/query-client.ts'
import { createTrpcClient, TrpcProvider } from '../trpc/trpc.ts'
import { useSession } from './session-context.ts'

/** Scopes tRPC to the selected tenant. Each tenant has its own cache, so that data never leaks between tenants. */
export function TenantTrpcProvider({ children }: { children: ReactNode }) {
  const tenantId = useSession().membership?.tenantId
  return (
    <ScopedProvider key={tenantId} tenantId={tenantId}>
      {children}
    </ScopedProvider>
  )
}

function ScopedProvider({ tenantId, children }: { tenantId: string | undefined; children: ReactNode }) {
  const { consoleUrl } = useConfig()
  const signIn = useSignIn()
  const { refresh } = useSession()
  const [queryClient] = useState(() => createQueryClient(refresh))
  const [trpcClient] = useState(() => createTrpcClient({ consoleUrl, fetch: signIn.fetch, tenantId }))
  return (
    <QueryClientProvider client={queryClient}>
      <TrpcProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </TrpcProvider>
    </QueryClientProvider>
  )
}
