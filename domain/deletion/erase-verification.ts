import { LockMode } from '@mikro-orm/postgresql'
import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { DomainError } from '../errors.ts'
import { forTenant, type OperatorScope } from '../scope.ts'
import { findStored } from '../verification/find-verification.ts'
import { Verification } from '../verification/verification.entity.ts'
import { deleteAtProvider, type ProviderDeletion } from './delete-at-provider.ts'
import { deleteVerifications } from './delete-verifications.ts'

export interface Erasure {
  verificationId: string
  /** Whether the session stays at the provider. */
  skipProvider: boolean
}

/**
 * Erases a verification: at the provider, and then here, with its timeline, token and deliveries. What remains are the
 * counts of the tenant's usage, and audit events that name its id. From then on it is not found, nor is its token, and
 * late results of the provider change nothing. Repeat it after an error: nothing was erased here.
 * Throws `VERIFICATION_NOT_FOUND`, and `INTERNAL_ERROR` with `details.dependency` if the provider keeps the session.
 */
export async function eraseVerification(
  scope: OperatorScope,
  { verificationId, skipProvider }: Erasure,
): Promise<ProviderDeletion> {
  const { tenantId, ...session } = await findErasable(scope, verificationId)
  const provider = skipProvider ? 'skipped' : await deleteAtProvider(scope, session)
  await transaction(scope, async em => {
    const locked = await em.find(
      Verification,
      { id: verificationId },
      { fields: ['completedAt'], lockMode: LockMode.PESSIMISTIC_WRITE },
    )
    await deleteVerifications(em, { tenantId, now: scope.now }, locked)
    const audited = { action: 'verification.erase' as const, target: verificationId, changes: { provider } }
    recordAuditEvent(forTenant(scope, tenantId), em, audited)
  })
  scope.statusChanges.publish(verificationId)
  return provider
}

/** Also one that has expired and is not deleted yet. Throws `VERIFICATION_NOT_FOUND`. */
export async function findErasable(scope: OperatorScope, verificationId: string) {
  const found = await findStored(scope, verificationId)
  if (!found) throw new DomainError('VERIFICATION_NOT_FOUND')
  const { tenantId, test, providerSessionId } = found
  return { verificationId, tenantId, test, providerSessionId }
}
