/** Ordered from the fewest rights to the most. */
export const roles = ['viewer', 'developer', 'owner'] as const
export type Role = (typeof roles)[number]

/** `read` covers everything; each other right covers changes of its area. */
export type Right = 'read' | 'keys' | 'settings' | 'tokens' | 'members' | 'tenant'

const rights: Record<Role, readonly Right[]> = {
  viewer: ['read'],
  developer: ['read', 'keys', 'settings', 'tokens'],
  owner: ['read', 'keys', 'settings', 'tokens', 'members', 'tenant'],
}

export function hasRight(role: Role, right: Right): boolean {
  return rights[role].includes(right)
}
