import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useConfig } from '../config/config-context.ts'
import { createClient } from '../console/create-client.ts'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { SigningIn } from '../sign-in/sign-in-page.tsx'
import { chosenTenant, rememberTenant } from './chosen-tenant.ts'
import { type Session, SessionContext } from './session-context.ts'
import { SessionFailed } from './session-failed.tsx'

/** Finds out to which tenants the user belongs, and which of them is in view. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const { consoleUrl } = useConfig()
  const { accessToken } = useSignIn()
  const [tenantId, setTenantId] = useState(chosenTenant)
  const client = useMemo(() => createClient({ consoleUrl, accessToken }), [consoleUrl, accessToken])
  const { data, error, refetch } = useQuery({
    queryKey: ['session.me'],
    queryFn: ({ signal }) => client.session.me.query(undefined, { signal }),
    staleTime: 60_000,
  })
  if (error && !data) return <SessionFailed error={error} onRetry={refetch} />
  if (!data) return <SigningIn />
  const { memberships } = data
  const session: Session = {
    memberships,
    membership: memberships.find(membership => membership.tenantId === tenantId) ?? memberships[0],
    refresh: refetch,
    chooseTenant: chosen => {
      rememberTenant(chosen)
      setTenantId(chosen)
    },
  }
  return <SessionContext value={session}>{children}</SessionContext>
}
