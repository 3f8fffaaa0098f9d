import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { ErrorAlert } from '../components/error-alert.tsx'
import { useConfig } from '../config.ts'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { SignInPage, SigningIn } from '../sign-in/sign-in-page.tsx'
import { createTrpcClient } from '../trpc/trpc.ts'
import { type Session, SessionContext } from './session-context.ts'

/** Loads the user's memberships and selects one of them. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const { consoleUrl } = useConfig()
  const { accessToken } = useSignIn()
  const [tenantId, setTenantId] = useState(loadTenantId)
  const client = useMemo(() => createTrpcClient({ consoleUrl, accessToken }), [consoleUrl, accessToken])
  const { data, error, refetch } = useQuery({
    queryKey: ['session.me'],
    queryFn: ({ signal }) => client.session.me.query(undefined, { signal }),
    staleTime: 60_000,
  })
  if (error && !data) {
    return (
      <SignInPage title="The dashboard could not be loaded">
        <ErrorAlert error={error} onRetry={refetch} />
      </SignInPage>
    )
  }
  if (!data) return <SigningIn />
  const { memberships, provisioning } = data
  const session: Session = {
    memberships,
    provisioning,
    membership: memberships.find(membership => membership.tenantId === tenantId) ?? memberships[0],
    refresh: refetch,
    selectTenant: selected => {
      storeTenantId(selected)
      setTenantId(selected)
    },
  }
  return <SessionContext value={session}>{children}</SessionContext>
}

/** The selection survives a reload of its tab, and is the default of new tabs. */
const storageKey = 'age-verification.tenant'

function loadTenantId(): string | undefined {
  return sessionStorage.getItem(storageKey) ?? localStorage.getItem(storageKey) ?? undefined
}

function storeTenantId(tenantId: string): void {
  sessionStorage.setItem(storageKey, tenantId)
  localStorage.setItem(storageKey, tenantId)
}
