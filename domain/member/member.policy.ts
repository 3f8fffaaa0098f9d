import { z } from 'zod'
import { lineOfText } from '../parameters.ts'
import { roles } from '../permissions.ts'

/** Members of one tenant. */
export const membersMax = 500

/** Tenants that one user can belong to. */
export const membershipsMax = 500

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

export const memberSubject = lineOfText('The subject', 255)

export const memberIssuer = lineOfText('The issuer', 500)

export const memberRole = z.enum(roles, `The role must be one of ${roles.join(', ')}.`)
