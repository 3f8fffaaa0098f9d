import { LockMode } from '@mikro-orm/core'
import { validate } from 'uuid'
import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { DomainError } from '../errors.ts'
import type { TenantScope } from '../scope.ts'
import { Token } from './token.entity.ts'

export interface RevokedToken {
  verificationId: string
  jti: string
  revokedAt: Date
}

/**
 * Revokes the token of one of the tenant's verifications, with immediate effect. Revoking again changes nothing.
 * Throws `VERIFICATION_NOT_FOUND` if there is no token.
 */
export async function revokeToken(
  scope: TenantScope,
  { verificationId }: { verificationId: string },
): Promise<RevokedToken> {
  if (!validate(verificationId)) throw noToken()
  const key = { tenantId: scope.actor.tenantId, verificationId }
  return await transaction(scope, async em => {
    const token = await em.findOne(Token, key, { lockMode: LockMode.PESSIMISTIC_WRITE })
    if (!token) throw noToken()
    const { jti, revokedAt } = token
    if (revokedAt) return { verificationId, jti, revokedAt }
    token.revokedAt = scope.now
    recordAuditEvent(scope, em, { action: 'token.revoke', target: verificationId, changes: { jti } })
    return { verificationId, jti, revokedAt: scope.now }
  })
}

function noToken(): DomainError {
  return new DomainError('VERIFICATION_NOT_FOUND', { message: 'No token matches the verificationId.' })
}
