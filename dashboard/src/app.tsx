import { QueryClientProvider } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { Outlet } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { createRouter } from './routes.tsx'
import { SessionProvider } from './session/session-provider.tsx'
import { TenantTrpcProvider } from './session/tenant-trpc-provider.tsx'
import { SessionExpiredDialog } from './sign-in/session-expired-dialog.tsx'
import { createQueryClient } from './trpc/query-client.ts'

/** The dashboard of a signed-in user. */
export function App() {
  const [isExpired, setExpired] = useState(false)
  const onSessionExpired = useCallback(() => setExpired(true), [])
  const [router] = useState(() =>
    createRouter(() => (
      <SessionProvider>
        <TenantTrpcProvider onSessionExpired={onSessionExpired}>
          <Outlet />
        </TenantTrpcProvider>
      </SessionProvider>
    )),
  )
  const [queryClient] = useState(() => createQueryClient(onSessionExpired))
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <SessionExpiredDialog opened={isExpired} onClose={() => setExpired(false)} />
    </QueryClientProvider>
  )
}
