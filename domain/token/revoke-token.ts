import { LockMode } from '@mikro-orm/core'
import { validate } from 'uuid'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { inTransaction, transaction } from '../database/transaction.ts'
import { DomainError } from '../errors.ts'
import { assertStillMember } from '../member/assert-still-member.ts'
import { isRetained } from '../retention.policy.ts'
import type { TenantScope } from '../scope.ts'
import { takeNumber } from '../verification/change-numbers.ts'
import { Verification } from '../verification/verification.entity.ts'
import { markRevoked } from './mark-revoked.ts'

export interface RevokedToken {
  verificationId: string
  jti: string
  revokedAt: Date
}

/**
 * Revokes the token of one of the tenant's verifications, with immediate effect. Revoking again changes nothing.
 * Throws `VERIFICATION_NOT_FOUND` if there is no token, and as `assertStillMember` does.
 */
export async function revokeToken(
  scope: TenantScope,
  { verificationId }: { verificationId: string },
): Promise<RevokedToken> {
  if (!validate(verificationId) || !isRetained(scope, verificationId)) throw noToken()
  const key = { tenantId: scope.actor.tenantId, id: verificationId }
  const revoked = await transaction(scope, async em => {
    const [number] = await takeNumber(inTransaction(em), { tenantId: key.tenantId })
    const verification = await em.findOne(Verification, key, { lockMode: LockMode.PESSIMISTIC_WRITE })
    const jti = verification?.tokenId
    if (!jti) throw noToken()
    await assertStillMember(scope, em)
    const { tokenRevokedAt } = verification
    if (tokenRevokedAt) return { verificationId, jti, revokedAt: tokenRevokedAt }
    verification.tokenRevokedAt = scope.now
    verification.change = BigInt(number!.change)
    const by = scope.actor.kind === 'operator' ? 'operator' : 'tenant'
    await markRevoked(em, { tenantId: key.tenantId, now: scope.now, by }, [verificationId])
    recordAuditEvent(scope, em, { action: 'token.revoke', target: verificationId, changes: { jti } })
    return { verificationId, jti, revokedAt: scope.now }
  })
  return revoked
}

function noToken(): DomainError {
  return new DomainError('VERIFICATION_NOT_FOUND', { message: 'No token matches the verificationId.' })
}
