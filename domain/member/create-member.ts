import type { EntityManager } from '@mikro-orm/postgresql'
import { lockUser } from '../database/advisory-locks.ts'
import { DomainError } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Role } from '../permissions.ts'
import type { Scope } from '../scope.ts'
import { Member } from './member.entity.ts'
import { membershipsMax, membersMax } from './member.policy.ts'

export interface CreatedMember {
  tenantId: string
  issuer: string
  subject: string
  role: Role
  /** Null for a user who has not used the console yet. */
  lastSeenAt: Date | null
}

/**
 * Inserts a member, within a transaction that has locked the tenant. Throws `NOT_PROVISIONED` if the tenant has 500
 * members, or the user belongs to 500 tenants.
 */
export async function createMember(
  { now }: Scope,
  em: EntityManager,
  { tenantId, issuer, subject, role, lastSeenAt }: CreatedMember,
): Promise<Member> {
  // Always taken after the tenant's lock, so that two transactions can't wait for each other.
  await lockUser(em, { issuer, subject })
  await requireFreePlace(em, tenantId)
  if ((await em.count(Member, { issuer, subject })) >= membershipsMax) {
    throw tooMany(`This user belongs to ${membershipsMax} tenants, the maximum. Leave one first.`)
  }
  return em.create(Member, { tenantId, issuer, subject, id: newId(now), role, addedAt: now, lastSeenAt })
}

/** Throws `NOT_PROVISIONED` if the tenant has 500 members. */
export async function requireFreePlace(em: EntityManager, tenantId: string): Promise<void> {
  if ((await em.count(Member, { tenantId })) < membersMax) return
  throw tooMany(`This tenant has ${membersMax} members, the maximum. Remove one first.`)
}

function tooMany(message: string): DomainError {
  return new DomainError('NOT_PROVISIONED', { message })
}
