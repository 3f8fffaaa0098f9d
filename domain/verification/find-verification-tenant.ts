import { validate } from 'uuid'
import { DomainError } from '../errors.ts'
import type { OperatorScope } from '../scope.ts'
import { findOwner } from '../tenant/find-owner.ts'

/** The id of the tenant that a verification belongs to. Throws `VERIFICATION_NOT_FOUND` for an unknown one. */
export async function findVerificationTenant(scope: OperatorScope, verificationId: string): Promise<string> {
  const owner = validate(verificationId)
    ? await findOwner(scope.em, 'verification', verificationId)
    : undefined
  if (!owner) throw new DomainError('VERIFICATION_NOT_FOUND')
  return owner
}
