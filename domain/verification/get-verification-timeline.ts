import { validate } from 'uuid'
import { DomainError } from '../errors.ts'
import type { TenantScope } from '../scope.ts'
import { Token } from '../token/token.entity.ts'
import { type ListedVerification, listed } from './list-verifications.ts'
import { Verification } from './verification.entity.ts'
import type { VerificationStatus } from './verification.policy.ts'
import { type ChangeSource, VerificationChange } from './verification-change.entity.ts'

export interface TimelineEntry {
  at: Date
  status: VerificationStatus
  source: ChangeSource
  /** False for a late result that contradicts the reported one: recorded, without effect. */
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
  /** Oldest first, beginning with `pending` at creation. */
  timeline: TimelineEntry[]
  token: IssuedToken | null
}

/** Throws `VERIFICATION_NOT_FOUND` for an unknown verification or one of another tenant. */
export async function getVerificationTimeline(
  scope: TenantScope,
  { verificationId }: { verificationId: string },
): Promise<VerificationTimeline> {
  if (!validate(verificationId)) throw new DomainError('VERIFICATION_NOT_FOUND')
  const { em } = scope
  const { tenantId } = scope.actor
  const verification = await em.findOne(Verification, { id: verificationId, tenantId })
  if (!verification) throw new DomainError('VERIFICATION_NOT_FOUND')
  const key = { tenantId, verificationId }
  const changes = await em.find(VerificationChange, key, { orderBy: { revision: 'asc' } })
  const token = await em.findOne(Token, key)
  const created: TimelineEntry = {
    at: verification.createdAt,
    status: 'pending',
    source: 'service',
    applied: true,
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

function presentToken({ jti, jwt, over18, issuedAt, expiresAt, revokedAt = null }: Token): IssuedToken {
  return { jti, jwt, over18, issuedAt, expiresAt, revokedAt }
}
