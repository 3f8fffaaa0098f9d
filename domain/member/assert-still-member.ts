import type { EntityManager } from '@mikro-orm/postgresql'
import { DomainError } from '../errors.ts'
import type { TenantScope } from '../scope.ts'
import { Member } from './member.entity.ts'

/**
 * For a member, whose call was authorized before its transaction began: decides again. Throws `TENANT_NOT_PROVISIONED` if
 * the membership has ended meanwhile, and `FORBIDDEN` if its role has changed.
 */
export async function assertStillMember({ actor }: TenantScope, em: EntityManager): Promise<void> {
  if (actor.kind !== 'member') return
  const { tenantId, issuer, subject, role } = actor
  const member = await em.findOne(Member, { tenantId, issuer, subject })
  if (!member) {
    throw new DomainError('TENANT_NOT_PROVISIONED', { message: 'You no longer belong to this tenant.' })
  }
  if (member.role === role) return
  throw new DomainError('FORBIDDEN', {
    message: 'Your role in this tenant has changed. Reload and try again.',
  })
}
