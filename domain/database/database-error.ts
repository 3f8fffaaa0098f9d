import { DriverException } from '@mikro-orm/core'
import { DomainError } from '../errors.ts'
import { ServerRoleError } from '../postgres/index.ts'

/**
 * A failed database operation as `DATABASE_ERROR`. The driver's message stays private, as the cause, which gets the name
 * of the prepared statement that failed.
 */
export function toDatabaseError(error: unknown, statement?: string): DomainError {
  if (error instanceof DomainError) return error
  if (error instanceof Error && statement !== undefined) Object.assign(error, { statement })
  return new DomainError('DATABASE_ERROR', { cause: error })
}

/**
 * Whether an error comes from the database or from the connection to it: MikroORM's exceptions, the server's own
 * errors, and what `pg` and its pool raise before MikroORM could wrap it.
 */
export function isDatabaseError(error: unknown): boolean {
  if (error instanceof DriverException || error instanceof ServerRoleError) return true
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  if (typeof code === 'string') return isServerError(error, code) || isConnectionError(error, code)
  return readDriverMessage(error) !== undefined
}

/** What `pg` and its pool say in an error without a code, such as that no connection was free; a constant text. */
export function readDriverMessage({ message }: Error): string | undefined {
  return driverMessages.find(known => message.startsWith(known))
}

/**
 * Whether the server has rejected a statement because of its rows or of others that wrote at the same time: nothing of it
 * is stored, and another statement may succeed. Not for errors after which that is unknown, or which any statement gets,
 * such as a lost connection, a timeout or a full disk.
 */
export function isRejectedWrite(error: unknown): boolean {
  if (!(error instanceof DomainError) || !(error.cause instanceof Error)) return false
  const code = 'code' in error.cause ? error.cause.code : undefined
  if (typeof code !== 'string' || !isServerError(error.cause, code)) return false
  return rejectionClasses.has(code.slice(0, 2)) && code !== completionUnknown
}

/** Classes of SQLSTATE: data, constraints, deadlocks, definitions, program limits, locks, and errors that triggers raise. */
const rejectionClasses = new Set(['21', '22', '23', '40', '42', '44', '54', '55', 'P0'])
const completionUnknown = '40003'

/** An error response of the server has a severity and an SQLSTATE, such as 57P01 or 53300. */
export function isServerError(error: Error, code: string): boolean {
  return 'severity' in error && /^[0-9A-Z]{5}$/.test(code)
}

export function isConnectionError(error: Error, code: string): boolean {
  return connectionErrors.has(code) || ('syscall' in error && error.syscall === 'connect')
}

/** System errors of a connection that cannot be opened, or is lost. */
const connectionErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** Errors of `pg` and `pg-pool` that have neither a class nor a code. */
const driverMessages = [
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Connection terminated',
  'Connection ended',
  'Client was closed and is not queryable',
  'Client has encountered a connection error and is not queryable',
  'Cannot use a pool after calling end on the pool',
]
