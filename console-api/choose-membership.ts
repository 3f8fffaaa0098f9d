import { DomainError } from '#domain/errors.ts'
import type { Membership } from '#domain/member/list-memberships.ts'

/**
 * The membership that a request is about: the only one, or the one that it names. Another's tenant is
 * refused as none at all, so that its existence is not given away.
 */
export function chooseMembership(memberships: Membership[], named: string | undefined): Membership {
  if (named !== undefined) {
    const chosen = memberships.find(membership => membership.tenantId === named.toLowerCase())
    if (!chosen) throw new DomainError('TENANT_NOT_PROVISIONED')
    return chosen
  }
  const [only, ...others] = memberships
  if (!only) throw new DomainError('TENANT_NOT_PROVISIONED')
  if (others.length > 0) {
    throw new DomainError('INVALID_PARAMETERS', {
      message: 'You belong to several tenants: name one in the header x-tenant-id.',
    })
  }
  return only
}
