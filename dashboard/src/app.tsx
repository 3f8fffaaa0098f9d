import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { Outlet } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { createRouter } from './routes.tsx'
import { SessionProvider, TenantTrpcProvider } from './session/session-provider.tsx'
import { SessionEndedDialog } from './sign-in/session-ended-dialog.tsx'
import { useSignInState } from './sign-in/sign-in-context.ts'
import { SignedOut } from './sign-in/sign-in-page.tsx'
import { createQueryClient } from './trpc/query-client.ts'

/** The dashboard of a signed-in user, until they sign out in this tab or another one. */
export function App() {
  const [router] = useState(() => createRouter(Root))
  const [queryClient] = useState(() => createQueryClient(() => undefined))
  if (useSignInState() === 'signed-out') return <SignedOut />
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <SessionEndedDialog />
    </QueryClientProvider>
  )
}

function Root() {
  return (
    <SessionProvider>
      <TenantTrpcProvider>
        <Outlet />
      </TenantTrpcProvider>
    </SessionProvider>
  )
}
