import { LockMode } from '@mikro-orm/core'
import { validate } from 'uuid'
import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { DomainError } from '../errors.ts'
import type { Scope } from '../scope.ts'
import { Verification } from '../verification/verification.entity.ts'
import { Token } from './token.entity.ts'

export interface RevokedToken {
  verificationId: string
  jti: string
  revokedAt: Date
}

/**
 * Revokes the token of a verification, at once; doing it again changes nothing. `tenantId` is whose it has to be, any
 * tenant's where it is not named. Throws `VERIFICATION_NOT_FOUND` where there is no token.
 */
export async function revokeToken(
  scope: Scope,
  { verificationId, tenantId }: { verificationId: string; tenantId?: string | undefined },
): Promise<RevokedToken> {
  if (!validate(verificationId)) throw noToken()
  return await scope.em.transactional(
    async em => {
      const where = { id: verificationId, ...(tenantId !== undefined && { tenantId }) }
      const verification = await em.findOne(Verification, where, { fields: ['tenantId'] })
      if (!verification) throw noToken()
      const token = await em.findOne(Token, { verificationId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
      if (!token) throw noToken()
      if (token.revokedAt) return { verificationId, jti: token.id, revokedAt: token.revokedAt }
      token.revokedAt = scope.now
      const audited = { action: 'token.revoke', target: verificationId, changes: { jti: token.id } }
      recordAuditEvent(scope, em, { tenantId: verification.tenantId, ...audited })
      return { verificationId, jti: token.id, revokedAt: scope.now }
    },
    { clear: true },
  )
}

function noToken(): DomainError {
  return new DomainError('VERIFICATION_NOT_FOUND', { message: 'No token matches the verificationId.' })
}
