/** What API keys may do. */
export const apiKeyScopes = ['verifications:write', 'verifications:read', 'tokens:validate'] as const
export type ApiKeyScope = (typeof apiKeyScopes)[number]

/** Ordered from the fewest rights to the most. */
export const roles = ['viewer', 'developer', 'owner'] as const
export type Role = (typeof roles)[number]

/** `read` covers every query, and leaving the tenant; each other right covers changes of its area. */
export const rights = ['read', 'keys', 'settings', 'tokens', 'members', 'tenant'] as const
export type Right = (typeof rights)[number]

const rightsByRole: Record<Role, readonly Right[]> = {
  viewer: ['read'],
  developer: ['read', 'keys', 'settings', 'tokens'],
  owner: ['read', 'keys', 'settings', 'tokens', 'members', 'tenant'],
}

export function listRights(role: Role): Right[] {
  return [...rightsByRole[role]]
}

export function hasRight(role: Role, right: Right): boolean {
  return rightsByRole[role].includes(right)
}
