import { validate } from 'uuid'
import { DomainError } from '../errors.ts'
import type { Scope } from '../scope.ts'
import { Token } from '../token/token.entity.ts'
import { type ListedVerification, listed } from './list-verifications.ts'
import { Verification } from './verification.entity.ts'
import type { VerificationStatus } from './verification.policy.ts'
import { type ChangeSource, VerificationChange } from './verification-change.entity.ts'

export interface TimelineEntry {
  at: Date
  status: VerificationStatus
  source: ChangeSource
  /** False for a late result that contradicts what the tenant was told: recorded, without effect. */
  applied: boolean
}

export interface IssuedToken {
  jti: string
  jwt: string
  over18: boolean
  issuedAt: Date
  expiresAt: Date
  revokedAt: Date | null
}

export interface VerificationTimeline extends ListedVerification {
  /** The oldest first; it begins with `pending`, when it was created. */
  timeline: TimelineEntry[]
  token: IssuedToken | null
}

/** Throws `VERIFICATION_NOT_FOUND` for an unknown verification and for another tenant's. */
export async function getVerificationTimeline(
  scope: Scope,
  { tenantId, verificationId }: { tenantId: string; verificationId: string },
): Promise<VerificationTimeline> {
  if (!validate(verificationId)) throw new DomainError('VERIFICATION_NOT_FOUND')
  const em = scope.em.fork()
  const verification = await em.findOne(Verification, { id: verificationId, tenantId })
  if (!verification) throw new DomainError('VERIFICATION_NOT_FOUND')
  const changes = await em.find(VerificationChange, { verificationId }, { orderBy: { id: 'asc' } })
  const token = await em.findOne(Token, { verificationId })
  const created: TimelineEntry = {
    ...{ at: verification.createdAt, status: 'pending', source: 'service', applied: true },
  }
  return {
    ...listed(verification),
    timeline: [
      created,
      ...changes.map(({ at, status, source, applied }) => ({ at, status, source, applied })),
    ],
    token: token && presentToken(token),
  }
}

function presentToken({ id, jwt, over18, issuedAt, expiresAt, revokedAt = null }: Token): IssuedToken {
  return { jti: id, jwt, over18, issuedAt, expiresAt, revokedAt }
}
