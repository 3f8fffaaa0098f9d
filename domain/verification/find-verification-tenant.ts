import { validate } from 'uuid'
import { DomainError } from '../errors.ts'
import type { OperatorScope } from '../scope.ts'
import { Verification } from './verification.entity.ts'

/** The id of the tenant that a verification belongs to. Throws `VERIFICATION_NOT_FOUND` for an unknown one. */
export async function findVerificationTenant(scope: OperatorScope, verificationId: string): Promise<string> {
  const verification = validate(verificationId)
    ? await scope.em.findOne(Verification, verificationId, { fields: ['tenantId'], disableIdentityMap: true })
    : null
  if (!verification) throw new DomainError('VERIFICATION_NOT_FOUND')
  return verification.tenantId
}
