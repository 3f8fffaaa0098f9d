import { DomainError } from '#domain/errors.ts'
import { SchemaError } from '#domain/schema/schema-status.ts'

/** An expected reason why the service cannot start. Its message is for the terminal and names what to change. */
export class StartError extends Error {
  override name = 'StartError'
}

/** Prefixes a connection error with the variable that names the server; a `StartError` names it already. */
export function nameVariable(part: string) {
  return (error: unknown): never => {
    if (error instanceof StartError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    throw new StartError(`${part} cannot be used: ${message || code}`, { cause: error })
  }
}

/** Why PostgreSQL cannot be used: the message of the driver's error, which another one may have as its cause. */
export function describeDatabaseError(error: unknown): string {
  const { cause, code, message } = error as NodeJS.ErrnoException
  return cause === undefined ? message || String(code) : describeDatabaseError(cause)
}

/** Throws a `StartError` for a database that cannot be used, or whose schema does not fit the program. */
export function throwDatabaseStartError(error: unknown): never {
  if (error instanceof SchemaError) throw new StartError(error.message, { cause: error })
  if (error instanceof DomainError) throw error
  return nameVariable('DATABASE_URL: PostgreSQL')(error)
}

/** What the terminal shows when a start fails: the message of an expected reason, the stack of any other error. */
export function describeStartError(error: unknown): string {
  return describeExpectedError(error) ?? (error instanceof Error && error.stack ? error.stack : String(error))
}

/** Why a start fails, a line for each reason; undefined for an unexpected error. */
export function describeExpectedError(error: unknown): string | undefined {
  if (error instanceof StartError) return error.message
  if (!(error instanceof DomainError) || error.code !== 'DATABASE_ERROR') return undefined
  return `DATABASE_URL: PostgreSQL cannot be used: ${describeDatabaseError(error)}`
}
