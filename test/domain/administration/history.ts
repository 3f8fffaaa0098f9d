import { newId } from '#domain/ids.ts'
import type { Scope } from '#domain/scope.ts'
import { ensureSigningKey } from '#domain/signing-key/ensure-signing-key.ts'
import { SigningKey } from '#domain/signing-key/signing-key.entity.ts'
import { signAgeToken } from '#domain/token/sign-age-token.ts'
import { Token } from '#domain/token/token.entity.ts'
import { Verification } from '#domain/verification/verification.entity.ts'
import type { VerificationStatus } from '#domain/verification/verification.policy.ts'
import { VerificationChange } from '#domain/verification/verification-change.entity.ts'

const dayMs = 24 * 60 * 60 * 1000

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
    createdAt: now,
    ...{
      closesAt: new Date(now.getTime() + 8 * dayMs),
      completedAt: isCompleted ? now : null,
      confidence: 0.9,
    },
  })
  await em.flush()
  em.create(VerificationChange, {
    tenantId,
    verificationId: id,
    revision: 1,
    at: now,
    status,
    source: 'provider',
    applied: true,
  })
  await em.flush()
  return id
}

/** Stores an approved verification with its token, signed by the active key. */
export async function storeApproval(scope: Scope, tenantId: string) {
  const verificationId = await storeVerification(scope, tenantId, 'approved')
  const { em } = scope
  await ensureSigningKey(scope.pool, scope.cipher, scope.now)
  const { kid } = await em.findOneOrFail(SigningKey, { retiredAt: null })
  const signed = await signAgeToken(scope, { verificationId, tenantId, over18: true, kid })
  em.create(Token, { tenantId, verificationId, ...signed, revokedAt: null })
  await em.flush()
  return { verificationId, ...signed }
}
