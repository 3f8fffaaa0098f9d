import type { TenantScope } from '../scope.ts'
import { findTenant } from '../tenant/find-tenant.ts'
import { Invitation } from './invitation.entity.ts'
import { openInvitationsMax } from './invitation.policy.ts'

/** The tenant's open invitations, newest first; at most 50. */
export async function listInvitations(scope: TenantScope): Promise<Invitation[]> {
  const { id: tenantId } = await findTenant(scope)
  return await scope.em.find(Invitation, openInvitations(tenantId, scope.now), {
    orderBy: { id: 'desc' },
    limit: openInvitationsMax,
  })
}

/** The condition of invitations that can be accepted now. */
export function openInvitations(tenantId: string, now: Date) {
  return { tenantId, acceptedAt: null, revokedAt: null, expiresAt: { $gt: now } }
}
