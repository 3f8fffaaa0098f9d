import { LockMode } from '@mikro-orm/core'
import { validate } from 'uuid'
import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { DomainError } from '../errors.ts'
import type { Scope } from '../scope.ts'
import { findOwner } from '../tenant/find-owner.ts'
import { Token } from './token.entity.ts'

export interface RevokedToken {
  verificationId: string
  jti: string
  revokedAt: Date
}

/**
 * Revokes the token of a verification with immediate effect; repeating it changes nothing. Without a `tenantId` the
 * verification may be any tenant's. Throws `VERIFICATION_NOT_FOUND` if there is no token.
 */
export async function revokeToken(
  scope: Scope,
  { verificationId, tenantId }: { verificationId: string; tenantId?: string | undefined },
): Promise<RevokedToken> {
  if (!validate(verificationId)) throw noToken()
  return await transaction(scope, async em => {
    const owner = tenantId ?? (await findOwner(em, 'verification', verificationId))
    const key = owner && { tenantId: owner, verificationId }
    const token = key && (await em.findOne(Token, key, { lockMode: LockMode.PESSIMISTIC_WRITE }))
    if (!token) throw noToken()
    const { jti, revokedAt } = token
    if (revokedAt) return { verificationId, jti, revokedAt }
    token.revokedAt = scope.now
    const audited = { action: 'token.revoke', target: verificationId, changes: { jti } }
    recordAuditEvent(scope, em, { tenantId: token.tenantId, ...audited })
    return { verificationId, jti, revokedAt: scope.now }
  })
}

function noToken(): DomainError {
  return new DomainError('VERIFICATION_NOT_FOUND', { message: 'No token matches the verificationId.' })
}
