import { LockMode } from '@mikro-orm/postgresql'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { DomainError } from '../errors.ts'
import { assertStillMember } from '../member/assert-still-member.ts'
import { forTenant, type MemberScope, type OperatorScope, whileIdle } from '../scope.ts'
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
 * Throws `VERIFICATION_NOT_FOUND`, also for another tenant's than the member's; `INTERNAL_ERROR` with `details.dependency`
 * if the provider keeps the session; and as `assertStillMember` does.
 */
export async function eraseVerification(scope: OperatorScope, erasure: Erasure): Promise<ProviderDeletion>
export async function eraseVerification(
  scope: MemberScope,
  erasure: Erasure & { skipProvider: false },
): Promise<Exclude<ProviderDeletion, 'skipped'>>
export async function eraseVerification(
  scope: OperatorScope | MemberScope,
  { verificationId, skipProvider }: Erasure,
): Promise<ProviderDeletion> {
  const { tenantId, ...session } = await findErasable(scope, verificationId)
  const provider = skipProvider
    ? 'skipped'
    : await whileIdle(scope.request, () => deleteAtProvider(scope, session))
  const tenantScope = isOfMember(scope) ? scope : forTenant(scope, tenantId)
  await transaction(scope, async em => {
    const locked = await em.find(
      Verification,
      { id: verificationId, tenantId },
      { fields: ['completedAt'], lockMode: LockMode.PESSIMISTIC_WRITE },
    )
    // It was erased or has expired meanwhile.
    if (locked.length === 0) throw new DomainError('VERIFICATION_NOT_FOUND')
    await assertStillMember(tenantScope, em)
    await deleteVerifications(em, { tenantId, now: scope.now }, locked)
    const audited = { action: 'verification.erase' as const, target: verificationId, changes: { provider } }
    recordAuditEvent(tenantScope, em, audited)
  })
  return provider
}

/** Also one that has expired and is not deleted yet. Throws `VERIFICATION_NOT_FOUND`. */
export async function findErasable(scope: OperatorScope | MemberScope, verificationId: string) {
  const found = await findStored(scope, verificationId)
  if (!found) throw new DomainError('VERIFICATION_NOT_FOUND')
  const { tenantId, test, providerSessionId } = found
  return { verificationId, tenantId, test, providerSessionId }
}

function isOfMember(scope: OperatorScope | MemberScope): scope is MemberScope {
  return scope.actor.kind === 'member'
}
