import { cutPageBySize, type Page, type PageRequest, readPage } from '../page.ts'
import { lineOfText, readParameter } from '../parameters.ts'
import type { TenantScope } from '../scope.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import { Member } from './member.entity.ts'
import { mayLoseOwner } from './member.policy.ts'
import { emailLengthMax } from './profile.policy.ts'

export interface MembersRequest extends PageRequest {
  /** Part of a name, e-mail address, subject or role, in upper or lower case; all members if omitted. */
  search?: string | undefined
}

/** The tenant's members, oldest first. */
export async function listMembers(scope: TenantScope, request: MembersRequest = {}): Promise<Page<Member>> {
  const { limit, cursor } = readPage(request)
  const search = readParameter('search', searchedText, request.search)
  const { id: tenantId } = await findTenant(scope)
  const where = {
    tenantId,
    ...(cursor && { id: { $gt: cursor } }),
    ...(search !== undefined && { $or: matching(search) }),
  }
  const found = await scope.em.find(Member, where, { orderBy: { id: 'asc' }, limit: limit + 1 })
  return cutPageBySize(found, limit, member => member.id)
}

const searchedText = lineOfText('The searched text', emailLengthMax).optional()

function matching(search: string) {
  const $ilike = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return [{ name: { $ilike } }, { email: { $ilike } }, { subject: { $ilike } }, { role: { $ilike } }]
}

/** The one owner whom `mayLoseOwner` protects, if there is one: two owners protect each other. */
export async function findRequiredOwner({
  em,
  actor: { tenantId },
  rules: { memberIssuer },
}: TenantScope): Promise<Member | null> {
  const owners = await em.find(Member, { tenantId, role: 'owner' })
  const others = (owner: Member) => owners.filter(each => each !== owner)
  return owners.find(owner => !mayLoseOwner(owner, others(owner), memberIssuer)) ?? null
}
