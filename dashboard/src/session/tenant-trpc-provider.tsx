import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useConfig } from '../config/config-context.ts'
import { ConsoleProvider } from '../console/console.ts'
import { createClient } from '../console/create-client.ts'
import { createQueryClient } from '../console/create-query-client.ts'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { useSession } from './session-context.ts'

interface Props {
  onSignInEnded: () => void
  children: ReactNode
}

/** The console as one tenant sees it. Another tenant gets another cache: nothing of this one can show there. */
export function TenantConsole(props: Props) {
  const { membership } = useSession()
  return <ConsoleOfTenant key={membership?.tenantId} tenantId={membership?.tenantId} {...props} />
}

function ConsoleOfTenant({ tenantId, onSignInEnded, children }: Props & { tenantId: string | undefined }) {
  const { consoleUrl } = useConfig()
  const { accessToken } = useSignIn()
  const [queryClient] = useState(() => createQueryClient(onSignInEnded))
  const [trpcClient] = useState(() => createClient({ consoleUrl, accessToken, tenantId }))
  return (
    <QueryClientProvider client={queryClient}>
      <ConsoleProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </ConsoleProvider>
    </QueryClientProvider>
  )
}
