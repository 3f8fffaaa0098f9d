import { DomainError } from '#domain/errors.ts'
import type { Membership } from '#domain/member/list-memberships.ts'

/**
 * The membership that a request applies to, of those that `findOwnMemberships` found: the only one, or the one selected
 * by tenant id. A tenant that the user does not belong to gives the same error as one that does not exist, so that its
 * existence is not disclosed.
 */
export function chooseMembership(memberships: Membership[], selected: string | undefined): Membership {
  if (selected !== undefined) {
    const chosen = memberships.find(membership => membership.tenantId === selected.toLowerCase())
    if (!chosen) throw notMember('You do not belong to the tenant that the header x-tenant-id selects.')
    return chosen
  }
  const [only, ...others] = memberships
  if (!only) throw notMember('You do not belong to a tenant. Create one, or ask for an invitation.')
  if (others.length > 0) {
    throw new DomainError('INVALID_PARAMETERS', {
      message: 'You belong to several tenants. Select one with the header x-tenant-id.',
    })
  }
  return only
}

function notMember(message: string): DomainError {
  return new DomainError('TENANT_NOT_PROVISIONED', { message })
}
