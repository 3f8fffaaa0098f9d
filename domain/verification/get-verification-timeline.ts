import { decodeJwt } from 'jose'
import { validate } from 'uuid'
import { DomainError } from '../errors.ts'
import { hasRight } from '../member/member.policy.ts'
import type { TenantActor, TenantScope } from '../scope.ts'
import { SigningKey } from '../signing-key/signing-key.entity.ts'
import { type AgeClaims, ageClaims } from '../token/age-claims.ts'
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
  /** The bearer token; null for anyone but members with the right `tokens`. */
  jwt: string | null
  kid: string
  /** The signed claims; null if the token cannot be decoded. */
  claims: AgeClaims | null
  over18: boolean
  issuedAt: Date
  expiresAt: Date
  /** When it was revoked, or its signing key was reported as compromised. */
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
    token: token && (await presentToken(scope, token)),
  }
}

async function presentToken({ em, actor }: TenantScope, token: Token): Promise<IssuedToken> {
  const { jti, jwt, kid, over18, issuedAt, expiresAt } = token
  const key = await em.findOne(SigningKey, { kid })
  const revokedAt = token.revokedAt ?? key?.compromisedAt ?? null
  const claims = claimsOf(jwt)
  return { jti, jwt: canUse(actor) ? jwt : null, kid, claims, over18, issuedAt, expiresAt, revokedAt }
}

/** Whoever has the token can use it, so reading a verification is not enough to get it. */
function canUse(actor: TenantActor): boolean {
  return actor.kind === 'member' && hasRight(actor.role, 'tokens')
}

function claimsOf(jwt: string): AgeClaims | null {
  try {
    return ageClaims.safeParse(decodeJwt(jwt)).data ?? null
  } catch {
    return null
  }
}
