import { createContext, useContext } from 'react'
import type { Outputs } from '../console/console.ts'

export type Membership = Outputs['session']['me']['memberships'][number]

export interface Session {
  memberships: Membership[]
  /** The tenant in view; undefined for a user who belongs to none. */
  membership: Membership | undefined
  chooseTenant: (tenantId: string) => void
  /** Asks the service again, after a tenant was made or a role changed. */
  refresh: () => Promise<unknown>
}

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionContext')
  return session
}

/** For pages inside `TenantOnly`. */
export function useMembership(): Membership {
  const { membership } = useSession()
  if (!membership) throw new Error('useMembership needs a tenant')
  return membership
}
