import { DriverException } from '@mikro-orm/core'
import { DomainError } from './errors.ts'

/** Converts any error: a database error becomes `DATABASE_ERROR`, anything unexpected `INTERNAL_ERROR`. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  const code =
    error instanceof DriverException || isConnectionError(error) ? 'DATABASE_ERROR' : 'INTERNAL_ERROR'
  return new DomainError(code, { cause: error })
}

/** Errors of the connection pool, which MikroORM does not wrap. */
function isConnectionError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && 'syscall' in error && error.syscall === 'connect'
}
