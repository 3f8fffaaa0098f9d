import { newId } from '#domain/ids.ts'
import { Member } from '#domain/member/member.entity.ts'
import type { Scope } from '#domain/scope.ts'
import { toAgeToken } from '#domain/signing-key/age-token.ts'
import { ensureSigningKey } from '#domain/signing-key/ensure-signing-key.ts'
import { signAgeToken } from '#domain/signing-key/sign-age-token.ts'
import { SigningKey } from '#domain/signing-key/signing-key.entity.ts'
import { OpenVerification } from '#domain/verification/open-verification.entity.ts'
import { Verification } from '#domain/verification/verification.entity.ts'
import { VerificationOutcome } from '#domain/verification/verification-outcome.entity.ts'
import type { VerificationStatus } from '#domain/verification-status.ts'
import { memberIssuer } from '../../harness/scope.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Stores an owner whose addition is in no audit log. */
export async function storeOwner(scope: Scope, tenantId: string, subject = 'olivia'): Promise<void> {
  const { em, now } = scope
  const lastSeenAt = now
  em.create(Member, {
    tenantId,
    issuer: memberIssuer,
    subject,
    id: newId(now),
    role: 'owner',
    addedAt: now,
    lastSeenAt,
  })
  await em.flush()
}

/** Stores a verification, started at the scope's time. */
export async function storeVerification(
  scope: Scope,
  tenantId: string,
  status: VerificationStatus,
): Promise<string> {
  const { em, now } = scope
  const id = newId(now)
  const isCompleted = ['approved', 'denied', 'rejected'].includes(status)
  em.create(Verification, {
    id,
    tenantId,
    status,
    providerSessionId: `session-${id}`,
    revision: 1,
    ...(isCompleted && { completedAt: now }),
    confidence: 0.9,
  })
  if (isCompleted && status !== 'approved')
    em.create(VerificationOutcome, { verificationId: id, tenantId, status })
  if (!isCompleted) {
    const closesAt = new Date(now.getTime() + 8 * dayMs)
    em.create(OpenVerification, { verificationId: id, tenantId, status, closesAt })
  }
  await em.flush()
  await em.execute(
    `update verification set timeline = array[row(?, ?, 'provider', null, null, true, null, null)::verification_change]
     where id = ?`,
    [now, status, id],
  )
  return id
}

/** Stores an approved verification with its token, signed by the active key. */
export async function storeApproval(scope: Scope, tenantId: string) {
  const verificationId = await storeVerification(scope, tenantId, 'approved')
  const { em } = scope
  await ensureSigningKey(scope.pool, scope.cipher, scope.now)
  const { kid } = await em.findOneOrFail(SigningKey, { retiredAt: null })
  const signed = await signAgeToken(scope, { verificationId, tenantId, over18: true, kid })
  const { jti: tokenId, signer: tokenSigner, statusIndex, signature: tokenSignature } = signed
  await em.nativeUpdate(
    Verification,
    { id: verificationId },
    { over18: true, tokenId, tokenSigner, tokenStatusIndex: statusIndex, tokenSignature },
  )
  const lifetimeSeconds = scope.rules.tokenLifetimeMs / 1000
  const issuer = scope.rules.baseUrl
  const source = { verificationId, tenantId, ...signed, completedAt: scope.now, over18: true }
  const jwt = toAgeToken({ ...source, kid, issuer, lifetimeSeconds })
  const expiresAt = new Date(scope.now.getTime() + scope.rules.tokenLifetimeMs)
  return { verificationId, jti: signed.jti, statusIndex, kid, jwt, issuedAt: scope.now, expiresAt }
}
