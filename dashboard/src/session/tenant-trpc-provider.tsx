import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useConfig } from '../config.ts'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { createQueryClient } from '../trpc/query-client.ts'
import { createTrpcClient, TrpcProvider } from '../trpc/trpc.ts'
import { useSession } from './session-context.ts'

interface Props {
  onSessionExpired: () => void
  children: ReactNode
}

/** Scopes tRPC to the selected tenant. Each tenant has its own cache, so that data never leaks between tenants. */
export function TenantTrpcProvider(props: Props) {
  const { membership } = useSession()
  return <ScopedProvider key={membership?.tenantId} tenantId={membership?.tenantId} {...props} />
}

function ScopedProvider({ tenantId, onSessionExpired, children }: Props & { tenantId: string | undefined }) {
  const { consoleUrl } = useConfig()
  const { accessToken } = useSignIn()
  const [queryClient] = useState(() => createQueryClient(onSessionExpired))
  const [trpcClient] = useState(() => createTrpcClient({ consoleUrl, accessToken, tenantId }))
  return (
    <QueryClientProvider client={queryClient}>
      <TrpcProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </TrpcProvider>
    </QueryClientProvider>
  )
}
