import { createContext, useContext } from 'react'
import type { Outputs } from '../trpc/trpc.ts'

export type Membership = Outputs['session']['me']['memberships'][number]

/** Whether the user could create a tenant if they belonged to none. */
export type Provisioning = Outputs['session']['me']['provisioning']

export interface Session {
  memberships: Membership[]
  /** Of the tenant in the URL, else of the one that was used last; undefined if the user has no access to it. */
  membership: Membership | undefined
  provisioning: Provisioning
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
