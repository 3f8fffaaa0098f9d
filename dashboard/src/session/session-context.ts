import { createSafeContext } from '@mantine/core'
import { disabledTenantReason } from '../components/console-error.ts'
import type { Outputs } from '../trpc/trpc.ts'

export type Membership = Outputs['session']['me']['memberships'][number]

/** Whether the user could create a tenant if they belonged to none. */
export type Provisioning = Outputs['session']['me']['provisioning']

/** How the service treats the selected tenant: its subscription, this month's usage, and whether its receiver fails. */
export type Standing = NonNullable<Outputs['session']['me']['standing']>

export interface Session {
  memberships: Membership[]
  /** Of the tenant in the URL, else of the one that was used last; undefined if the user has no access to it. */
  membership: Membership | undefined
  /** Whether this browser has seen the user as a member of the tenant in the URL. */
  hadAccess: boolean
  provisioning: Provisioning
  /** Whether a new tenant can be a test tenant; `only`: it is always one. */
  testTenants: Outputs['session']['me']['testTenants']
  /** Null for a tenant that the service wasn't asked about yet. */
  standing: Standing | null
  /** Reloads the memberships, after a tenant was created or a role changed. */
  refresh: () => Promise<unknown>
}

export const [SessionContext, useSession] = createSafeContext<Session>(
  'useSession must be used inside a SessionContext.',
)

/** For pages inside `RequireTenant`. */
export function useMembership(): Membership {
  const { membership } = useSession()
  if (!membership) throw new Error('useMembership must be used inside RequireTenant.')
  return membership
}

/**
 * Maps a page of the selected tenant to its path below `/dashboard`: `/verifications` becomes
 * `/t/{tenantId}/verifications`. Without a tenant, the path stays as it is, and leads to what the user can do.
 */
export function useTenantPath(): (path: string) => string {
  const { membership } = useSession()
  return path => (membership ? tenantPath(membership.tenantId, path) : path)
}

export function tenantPath(tenantId: string, path: string): string {
  return `/t/${tenantId}${path}`
}

export type TenantKind = 'live' | 'test'

/** The kinds of tenants that the user can create: one of each, where the operator allows it. */
export function useCreatableKinds(): TenantKind[] {
  const { provisioning, testTenants, memberships } = useSession()
  if (provisioning !== 'open') return []
  const offered: TenantKind[] = testTenants === 'only' ? ['test'] : ['live']
  if (testTenants === 'allowed') offered.push('test')
  return offered.filter(kind => !memberships.some(({ test }) => test === (kind === 'test')))
}

/** A right that permits changes. */
type ChangeRight = Exclude<Membership['rights'][number], 'read'>

/** Why the user can't make changes of this kind, as a sentence beside the disabled control; undefined if they can. */
export function useDisabledReason(right: ChangeRight): string | undefined {
  const { role, rights, enabled } = useMembership()
  if (!rights.includes(right)) {
    return `The ${role} role can't ${actions[right]}. Ask an owner of this tenant to change your role.`
  }
  return enabled ? undefined : disabledTenantReason
}

const actions: Record<ChangeRight, string> = {
  keys: 'create or revoke API keys',
  settings: 'change settings or view secrets',
  tokens: 'copy or revoke tokens',
  members: 'manage members',
  tenant: 'rename the tenant or erase a verification',
}
