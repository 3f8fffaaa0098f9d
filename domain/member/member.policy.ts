import { z } from 'zod'
import { lineOfText } from '../parameters.ts'

/** From the least to the most. */
export const roles = ['viewer', 'developer', 'owner'] as const
export type Role = (typeof roles)[number]

/** What a role may do: reading, and changing each of these. */
export type Right = 'read' | 'keys' | 'settings' | 'tokens' | 'members' | 'tenant'

const rights: Record<Role, readonly Right[]> = {
  viewer: ['read'],
  developer: ['read', 'keys', 'settings', 'tokens'],
  owner: ['read', 'keys', 'settings', 'tokens', 'members', 'tenant'],
}

export function mayRole(role: Role, right: Right): boolean {
  return rights[role].includes(right)
}

export const memberSubject = lineOfText('The subject', 255)

export const memberRole = z.enum(roles, `The role must be one of ${roles.join(', ')}.`)
