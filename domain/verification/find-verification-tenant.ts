import { validate } from 'uuid'
import { DomainError } from '../errors.ts'
import { isRetained } from '../retention.policy.ts'
import type { OperatorScope } from '../scope.ts'
import { Verification } from './verification.entity.ts'

/** The id of the tenant that a verification belongs to. Throws `VERIFICATION_NOT_FOUND` for an unknown one. */
export async function findVerificationTenant(scope: OperatorScope, verificationId: string): Promise<string> {
  if (!validate(verificationId) || !isRetained(scope, verificationId)) throw notFound()
  const found = await scope.em.findOne(Verification, { id: verificationId }, { fields: ['tenantId'] })
  if (!found) throw notFound()
  return found.tenantId
}

function notFound(): DomainError {
  return new DomainError('VERIFICATION_NOT_FOUND')
}
