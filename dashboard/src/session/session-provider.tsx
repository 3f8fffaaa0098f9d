import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { Outlet, useMatch } from 'react-router'
import { ErrorAlert } from '../components/error-alert.tsx'
import { useConfig } from '../config.ts'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { SignInPage } from '../sign-in/sign-in-page.tsx'
import { createQueryClient, createTrpcClient, type Outputs, TrpcProvider } from '../trpc/trpc.ts'
import { type Session, SessionContext, useSession } from './session-context.ts'
import { readStoredSession, readTenantId, storeSession, storeTenantId } from './stored-session.ts'

const refreshMs = 60_000

/**
 * Loads the user's memberships and selects that of the tenant in the URL. Meanwhile the page begins with those of the last
 * time: its own calls don't wait, and the service decides about each of them. `loading` is shown where there was none.
 */
export function SessionProvider({ loading }: { loading: ReactNode }) {
  const { consoleUrl } = useConfig()
  const signIn = useSignIn()
  const { subject } = signIn
  const tenantInUrl = useMatch('/t/:tenantId/*')?.params.tenantId
  const selectedId = tenantInUrl ?? readTenantId()
  const client = useMemo(
    () => createTrpcClient({ consoleUrl, fetch: signIn.fetch, tenantId: selectedId }),
    [consoleUrl, signIn, selectedId],
  )
  const query = useQuery({
    queryKey: ['session.me'],
    queryFn: ({ signal }) => loadSession(client, signal),
    staleTime: refreshMs,
    refetchInterval: refreshMs,
  })
  const { error, refetch } = query
  const stored = useMemo(() => readStoredSession(subject, tenantInUrl), [subject, tenantInUrl])
  const data = query.data ?? (error ? undefined : stored)
  const isMember = data?.memberships.some(({ tenantId }) => tenantId === tenantInUrl)
  useEffect(() => {
    if (isMember && tenantInUrl) storeTenantId(tenantInUrl)
  }, [isMember, tenantInUrl])
  const [known] = useState(() => new Set(idsOf(readStoredSession(subject, undefined))))
  useEffect(() => {
    if (!query.data) return
    storeSession(subject, query.data)
    for (const id of idsOf(query.data)) known.add(id)
  }, [subject, query.data, known])
  const isOfOther = query.data?.standing && query.data.standing.tenantId !== tenantInUrl
  useEffect(() => {
    if (isMember && isOfOther) refetch()
  }, [isMember, isOfOther, refetch])
  useSaveProfile(client, query.data)
  // The same object until it says something else: a page of links depends on it.
  const session = useMemo<Session | undefined>(() => {
    if (!data) return undefined
    const { memberships, provisioning, testTenants, standing } = data
    const find = (id: string | undefined) => memberships.find(({ tenantId }) => tenantId === id)
    const membership = tenantInUrl ? find(tenantInUrl) : (find(readTenantId()) ?? memberships[0])
    return {
      memberships,
      provisioning,
      testTenants,
      membership,
      hadAccess: tenantInUrl !== undefined && known.has(tenantInUrl),
      standing: standing?.tenantId === membership?.tenantId ? standing : null,
      refresh: refetch,
    }
  }, [data, tenantInUrl, known, refetch])
  if (session) {
    return (
      <SessionContext value={session}>
        <TenantPages />
      </SessionContext>
    )
  }
  if (!error) return loading
  return (
    <SignInPage title="The dashboard could not be loaded">
      <ErrorAlert error={error} onRetry={refetch} />
    </SignInPage>
  )
}

function idsOf(session: Pick<Session, 'memberships'> | undefined): string[] {
  return session?.memberships.map(({ tenantId }) => tenantId) ?? []
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
function useSaveProfile(client: ReturnType<typeof createTrpcClient>, me: Outputs['session']['me'] | undefined) {
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

/** The pages, whose calls are for the selected tenant. Each tenant has its own cache, so that data never leaks between tenants. */
function TenantPages() {
  const { consoleUrl } = useConfig()
  const { fetch } = useSignIn()
  const { membership, refresh } = useSession()
  const tenantId = membership?.tenantId
  const { queryClient, trpcClient } = useMemo(
    () => ({ queryClient: createQueryClient(refresh), trpcClient: createTrpcClient({ consoleUrl, fetch, tenantId }) }),
    [consoleUrl, fetch, tenantId, refresh],
  )
  return (
    <QueryClientProvider key={tenantId} client={queryClient}>
      <TrpcProvider trpcClient={trpcClient} queryClient={queryClient}>
        <Outlet />
      </TrpcProvider>
    </QueryClientProvider>
  )
}
