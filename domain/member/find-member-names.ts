import type { EntityManager } from '@mikro-orm/postgresql'
import type { MemberUser } from './member.entity.ts'
import { Member } from './member.entity.ts'
import { chooseDisplayName } from './profile.policy.ts'

/**
 * Returns how to display each of these users who is still a member of the tenant: null for one without a name, undefined
 * for who is no member.
 */
export async function findMemberNames(
  em: EntityManager,
  tenantId: string,
  users: readonly MemberUser[],
): Promise<(user: MemberUser) => string | null | undefined> {
  const subjects = [...new Set(users.map(({ subject }) => subject))]
  const where = { tenantId, subject: { $in: subjects } }
  const members = subjects.length > 0 ? await em.find(Member, where, { disableIdentityMap: true }) : []
  const names = new Map(members.map(member => [toKey(member), chooseDisplayName(member)]))
  return user => names.get(toKey(user))
}

function toKey({ issuer, subject }: MemberUser): string {
  return `${issuer} ${subject}`
}
