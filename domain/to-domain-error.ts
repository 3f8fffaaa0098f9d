import { isDatabaseError } from './database/database-error.ts'
import { DomainError } from './errors.ts'

/** Any error as a `DomainError`: a failed database operation is `DATABASE_ERROR`, anything else unexpected. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  return new DomainError(isDatabaseError(error) ? 'DATABASE_ERROR' : 'INTERNAL_ERROR', { cause: error })
}
