import { DomainError } from '../errors.ts'

/** A failed database operation as a refusal: the driver's words stay private. */
export function toDatabaseError(error: unknown): DomainError {
  return error instanceof DomainError ? error : new DomainError('DATABASE_ERROR', { cause: error })
}
