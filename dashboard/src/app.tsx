import { QueryClientProvider } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { RouterProvider } from 'react-router/dom'
import { createQueryClient } from './console/create-query-client.ts'
import { createRouter } from './routes.tsx'
import { SessionProvider } from './session/session-provider.tsx'
import { TenantConsole } from './session/tenant-console.tsx'
import { SignInEnded } from './sign-in/sign-in-ended.tsx'

/** Everything that a signed-in user sees. */
export function App() {
  const [ended, setEnded] = useState(false)
  const onSignInEnded = useCallback(() => setEnded(true), [])
  const [router] = useState(createRouter)
  const [queryClient] = useState(() => createQueryClient(onSignInEnded))
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <TenantConsole onSignInEnded={onSignInEnded}>
          <RouterProvider router={router} />
        </TenantConsole>
      </SessionProvider>
      <SignInEnded opened={ended} onClose={() => setEnded(false)} />
    </QueryClientProvider>
  )
}
