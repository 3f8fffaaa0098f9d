import type { LockMode } from '@mikro-orm/postgresql'
import { validate } from 'uuid'
import { DomainError } from '../errors.ts'
import { isRetained } from '../retention.policy.ts'
import type { MemberScope, OperatorScope } from '../scope.ts'
import { Verification } from './verification.entity.ts'

/** A verification of any tenant. Throws `VERIFICATION_NOT_FOUND` for an unknown one, and one that has expired. */
export async function findVerification(scope: OperatorScope, verificationId: string) {
  const found = await findStored(scope, verificationId)
  if (!found || !isRetained(scope, verificationId)) throw new DomainError('VERIFICATION_NOT_FOUND')
  return found
}

/** Also one that has expired and is not deleted yet; null for none, and for another tenant's than the member's. */
export async function findStored(
  { em, actor }: OperatorScope | MemberScope,
  verificationId: string,
  lockMode?: LockMode,
) {
  if (!validate(verificationId)) return null
  const fields = ['tenantId', 'test', 'provider', 'providerSessionId', 'completedAt', 'tokenId'] as const
  const tenant = actor.kind === 'member' ? { tenantId: actor.tenantId } : {}
  return await em.findOne(
    Verification,
    { ...tenant, id: verificationId },
    { fields, ...(lockMode && { lockMode }) },
  )
}
