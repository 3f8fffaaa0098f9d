import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useMatch } from 'react-router'
import { ErrorAlert } from '../components/error-alert.tsx'
import { useConfig } from '../config.ts'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { SignInPage } from '../sign-in/sign-in-page.tsx'
import { createQueryClient } from '../trpc/query-client.ts'
import { createTrpcClient, type Outputs, TrpcProvider } from '../trpc/trpc.ts'
import { type Session, SessionContext, useSession } from './session-context.ts'

/** Loads the user's memberships and selects that of the tenant in the URL. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const { consoleUrl } = useConfig()
  const signIn = useSignIn()
  const tenantInUrl = useMatch('/t/:tenantId/*')?.params.tenantId
  const client = useMemo(() => createTrpcClient({ consoleUrl, fetch: signIn.fetch }), [consoleUrl, signIn])
  const { data, error, refetch } = useQuery({
    queryKey: ['session.me'],
    queryFn: ({ signal }) => loadSession(client, signal),
    staleTime: 60_000,
  })
  const isMember = data?.memberships.some(({ tenantId }) => tenantId === tenantInUrl)
  useEffect(() => {
    if (isMember && tenantInUrl) storeTenantId(tenantInUrl)
  }, [isMember, tenantInUrl])
  useSaveProfile(client, data)
  if (error && !data) {
    return (
      <SignInPage title="The dashboard could not be loaded">
        <ErrorAlert error={error} onRetry={refetch} />
      </SignInPage>
    )
  }
  if (!data) return null
  const { memberships, provisioning } = data
  const find = (id: string | undefined) => memberships.find(({ tenantId }) => tenantId === id)
  const session: Session = {
    memberships,
    provisioning,
    membership: tenantInUrl ? find(tenantInUrl) : (find(loadTenantId()) ?? memberships[0]),
    refresh: refetch,
  }
  return <SessionContext value={session}>{children}</SessionContext>
}

/** With all memberships: the service sends those of users with very many tenants in pages. */
async function loadSession({ session }: ReturnType<typeof createTrpcClient>, signal: AbortSignal) {
  const me = await session.me.query(undefined, { signal })
  const memberships = [...me.memberships]
  for (let cursor = me.nextMemberships; cursor; ) {
    const { items, nextCursor } = await session.memberships.query({ limit: 100, cursor }, { signal })
    memberships.push(...items)
    cursor = nextCursor
  }
  return { ...me, memberships }
}

/** Tells the service how other members recognize the user, if the sign-in provider says so and it is news. */
function useSaveProfile(
  client: ReturnType<typeof createTrpcClient>,
  me: Outputs['session']['me'] | undefined,
) {
  const { idToken, claims } = useSignIn()
  const isNews =
    me !== undefined &&
    me.memberships.length > 0 &&
    ((claims.name ?? null) !== (me.storedProfile?.name ?? null) ||
      (claims.email ?? null) !== (me.storedProfile?.email ?? null))
  useEffect(() => {
    // Not worth a word if it fails: the next sign-in tries again.
    if (isNews) client.session.saveProfile.mutate({ idToken: idToken() }).catch(() => undefined)
  }, [client, idToken, isNews])
}

/** The tenant that was used last: in this tab, else in any. Pages outside a tenant are shown with it. */
const storageKey = 'age-verification.tenant'

function loadTenantId(): string | undefined {
  return sessionStorage.getItem(storageKey) ?? localStorage.getItem(storageKey) ?? undefined
}

function storeTenantId(tenantId: string): void {
  sessionStorage.setItem(storageKey, tenantId)
  localStorage.setItem(storageKey, tenantId)
}

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
