import { LockMode } from '@mikro-orm/core'
import { validate } from 'uuid'
import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { DomainError } from '../errors.ts'
import type { TenantScope } from '../scope.ts'
import { Verification } from '../verification/verification.entity.ts'
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
  return await scope.em.transactional(
    async em => {
      const { tenantId } = scope.actor
      const verification = await em.findOne(
        Verification,
        { id: verificationId, tenantId },
        { fields: ['id'] },
      )
      if (!verification) throw noToken()
      const token = await em.findOne(Token, { verificationId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
      if (!token) throw noToken()
      if (token.revokedAt) return { verificationId, jti: token.id, revokedAt: token.revokedAt }
      token.revokedAt = scope.now
      const changes = { jti: token.id }
      recordAuditEvent(scope, em, { action: 'token.revoke', target: verificationId, changes })
      return { verificationId, jti: token.id, revokedAt: scope.now }
    },
    { clear: true },
  )
}

function noToken(): DomainError {
  return new DomainError('VERIFICATION_NOT_FOUND', { message: 'No token matches the verificationId.' })
}
