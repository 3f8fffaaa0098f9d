import type { AuditActorKind } from '#domain/audit-event/audit-event.entity.ts'
import { newId } from '#domain/ids.ts'
import type { Scope } from '#domain/scope.ts'
import { type SignedToken, signAgeToken } from '#domain/token/sign-age-token.ts'
import type { GeneratedVerification } from './generate-verification.ts'
import { between, pick, type Random } from './random.ts'

export interface GeneratedToken extends SignedToken {
  verificationId: string
  revokedAt: Date | null
  /** The row of the audit log, if a member revoked it. */
  revocation: object | null
}

/** Who appears in the audit log, in its columns. */
export interface SeedActor {
  actor_kind: AuditActorKind
  actor_issuer: string | null
  actor_subject: string | null
}

export interface TokenSource {
  tenantId: string
  /** Of the key that the tokens name. */
  kid: string
  /** The members who revoke tokens. */
  actors: readonly SeedActor[]
  random: Random
}

/** Of all tokens, those that a member revoked. */
const revokedShare = 0.012
const dayMs = 24 * 60 * 60 * 1000

/** A token for each approved verification, issued at its completion. */
export async function generateTokens(
  scope: Scope,
  source: TokenSource,
  verifications: GeneratedVerification[],
): Promise<GeneratedToken[]> {
  const approved = verifications.filter(({ state }) => state.status === 'approved' && state.completedAt)
  return await Promise.all(approved.map(verification => generateToken(scope, source, verification)))
}

async function generateToken(
  scope: Scope,
  { tenantId, kid, actors, random }: TokenSource,
  { id: verificationId, state, tokenRevokedAt }: GeneratedVerification,
): Promise<GeneratedToken> {
  const now = state.completedAt ?? scope.now
  const { over18 } = state
  const signed = await signAgeToken({ ...scope, now }, { verificationId, tenantId, over18, kid })
  const at = new Date(now.getTime() + Math.floor(between(random, 0.01, 20) * dayMs))
  const isRevoked = !tokenRevokedAt && random() < revokedShare && at <= scope.now
  if (!isRevoked) return { ...signed, verificationId, revokedAt: tokenRevokedAt, revocation: null }
  const revocation = {
    id: newId(at),
    tenant_id: tenantId,
    at,
    ...pick(random, actors),
    actor_ip: '203.0.113.7',
    action: 'token.revoke',
    target: verificationId,
    changes: { jti: signed.jti },
  }
  return { ...signed, verificationId, revokedAt: at, revocation }
}
