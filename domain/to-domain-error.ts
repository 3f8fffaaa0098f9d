import { DriverException } from '@mikro-orm/core'
import { DomainError } from './errors.ts'

/** Any error as a refusal: what is not one already is a failed database operation or unexpected. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  const code =
    error instanceof DriverException || isConnectionError(error) ? 'DATABASE_ERROR' : 'INTERNAL_ERROR'
  return new DomainError(code, { cause: error })
}

/** The pool's own errors, which reach us before MikroORM could wrap them. */
function isConnectionError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && 'syscall' in error && error.syscall === 'connect'
}
