import type { TenantScope } from '../scope.ts'
import { Member } from './member.entity.ts'

export async function countMembers({ em, actor: { tenantId } }: TenantScope): Promise<number> {
  return await em.count(Member, { tenantId })
}
