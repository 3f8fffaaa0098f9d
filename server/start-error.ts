import { SchemaError } from '#domain/database/schema-status.ts'

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

/** Throws a `StartError` for a database that cannot be used, or whose schema does not fit the program. */
export function throwDatabaseStartError(error: unknown): never {
  if (error instanceof SchemaError) throw new StartError(error.message, { cause: error })
  return nameVariable('DATABASE_URL: PostgreSQL')(error)
}

/** What the terminal shows when a start fails: the message of an expected reason, the stack of any other error. */
export function describeStartError(error: unknown): string {
  if (error instanceof StartError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
