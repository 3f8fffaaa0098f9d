/** Ordered from the fewest rights to the most. */
export const roles = ['viewer', 'developer', 'owner'] as const
export type Role = (typeof roles)[number]

/** Members of one tenant. */
export const membersMax = 500

/** Tenants that one user can belong to. */
export const membershipsMax = 500

/** `read` covers every query, and leaving the tenant; each other right covers changes of its area. */
export const rights = ['read', 'keys', 'settings', 'tokens', 'members', 'tenant'] as const
export type Right = (typeof rights)[number]

const rightsByRole: Record<Role, readonly Right[]> = {
  viewer: ['read'],
  developer: ['read', 'keys', 'settings', 'tokens'],
  owner: ['read', 'keys', 'settings', 'tokens', 'members', 'tenant'],
}

export function rightsOf(role: Role): Right[] {
  return [...rightsByRole[role]]
}

export function hasRight(role: Role, right: Right): boolean {
  return rightsByRole[role].includes(right)
}

/** What the rule about the last owner needs to know of an owner. */
export interface Owner {
  issuer: string
  /** When the user last called the console; null for never. */
  lastSeenAt?: Date | null | undefined
}

/**
 * Whether a tenant may lose an owner and keep the others. An owner who has signed in at the issuer in use can be
 * replaced only by another such owner. One who has never signed in protects the tenant from having no owner at all,
 * as after `member add`. Owners of a former issuer can't sign in any more: they don't count, and can always go.
 */
export function mayLoseOwner(lost: Owner, others: readonly Owner[], issuerInUse: string): boolean {
  if (lost.issuer !== issuerInUse) return true
  const inUse = others.filter(({ issuer }) => issuer === issuerInUse)
  return lost.lastSeenAt ? inUse.some(({ lastSeenAt }) => lastSeenAt) : inUse.length > 0
}
