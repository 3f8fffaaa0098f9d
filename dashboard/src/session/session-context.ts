import { createContext, useContext } from 'react'
import type { Outputs } from '../trpc/trpc.ts'

export type Membership = Outputs['session']['me']['memberships'][number]

/** Whether the user could create a tenant if they belonged to none. */
export type Provisioning = Outputs['session']['me']['provisioning']

/** How the service treats the selected tenant: its subscription, and this month's usage. */
export type Standing = NonNullable<Outputs['session']['me']['standing']>

export interface Session {
  memberships: Membership[]
  /** Of the tenant in the URL, else of the one that was used last; undefined if the user has no access to it. */
  membership: Membership | undefined
  provisioning: Provisioning
  /** Whether a new tenant can be a test tenant; `only`: it is always one. */
  testTenants: Outputs['session']['me']['testTenants']
  /** Null for a tenant that the service wasn't asked about yet. */
  standing: Standing | null
  /** Reloads the memberships, after a tenant was created or a role changed. */
  refresh: () => Promise<unknown>
}

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession must be used inside a SessionContext.')
  return session
}

/** For pages inside `RequireTenant`. */
export function useMembership(): Membership {
  const { membership } = useSession()
  if (!membership) throw new Error('useMembership must be used inside RequireTenant.')
  return membership
}
