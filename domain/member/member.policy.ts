import { z } from 'zod'
import { lineOfText } from '../parameters.ts'

/** From the least to the most. */
export const roles = ['viewer', 'developer', 'owner'] as const
export type Role = (typeof roles)[number]

/** `read` permits every query; each of the others permits changes to what it names. */
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

export function mayRole(role: Role, right: Right): boolean {
  return rightsByRole[role].includes(right)
}

export const memberSubject = lineOfText('The subject', 255)

export const memberRole = z.enum(roles, `The role must be one of ${roles.join(', ')}.`)
