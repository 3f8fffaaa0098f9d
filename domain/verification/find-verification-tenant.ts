import { validate } from 'uuid'
import { rowsOf, tables } from '../database/tables.ts'
import { DomainError } from '../errors.ts'
import type { OperatorScope } from '../scope.ts'
import { isRetained } from './retention.policy.ts'

/** The id of the tenant that a verification belongs to. Throws `VERIFICATION_NOT_FOUND` for an unknown one. */
export async function findVerificationTenant(scope: OperatorScope, verificationId: string): Promise<string> {
  if (!validate(verificationId) || !isRetained(scope, verificationId)) throw notFound()
  const [found] = await rowsOf(
    tables(scope.em).selectFrom('verification').select('tenant_id').where('id', '=', verificationId),
  )
  if (!found) throw notFound()
  return found.tenant_id
}

function notFound(): DomainError {
  return new DomainError('VERIFICATION_NOT_FOUND')
}
