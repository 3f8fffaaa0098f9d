import { readDriverMessage } from '#domain/database/database-error.ts'
import { ProviderUnavailable } from '#domain/ports.ts'

/** An error in the log: its class, codes and stack, without its message, which can quote values. */
export interface ErrorFields {
  /** The class. */
  type: string
  /** An SQLSTATE such as 23505, a system error such as ECONNREFUSED, or a code of the error catalogue. */
  code?: string
  /** The first word of Redis's reply, such as OOM or READONLY. */
  reply?: string
  /** The name of the prepared statement that failed. */
  statement?: string
  /** Names in the schema, which a database error is about. */
  table?: string
  constraint?: string
  /** A message of this project about the provider, or one of the driver that is always the same. */
  reason?: string
  /** The stack frames. */
  at?: string[]
  cause?: ErrorFields | string
}

/** Describes an error without the values that its message may quote. A string is a message of this project. */
export function errorFields(error: unknown): ErrorFields | string {
  if (typeof error === 'string') return error
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, statement, table, constraint, cause } = error as Partial<Record<keyof ErrorFields, unknown>>
  const reply = replyWord(error)
  const reason = error instanceof ProviderUnavailable ? error.message : readDriverMessage(error)
  const at = readFrames(error)
  return {
    type: readClass(error),
    ...(isCode(code) ? { code: String(code) } : {}),
    ...(reply === undefined ? {} : { reply }),
    ...(isStatement(statement) ? { statement } : {}),
    ...(isName(table) ? { table } : {}),
    ...(isName(constraint) ? { constraint } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(at === undefined ? {} : { at }),
    ...(cause === undefined ? {} : { cause: errorFields(cause) }),
  }
}

/** Drivers leave the name of their classes at `Error` or `error`. */
function readClass(error: Error): string {
  return error.name.toLowerCase() === 'error' ? error.constructor.name : error.name
}

function isCode(code: unknown): code is string | number {
  return typeof code === 'number' || (typeof code === 'string' && /^\w{1,64}$/.test(code))
}

function isStatement(name: unknown): name is string {
  return typeof name === 'string' && /^[\w-]{1,63}$/.test(name)
}

function isName(name: unknown): name is string {
  return typeof name === 'string' && /^\w{1,63}$/.test(name)
}

/** The classes in which node-redis passes on what the server replied. */
const replyClasses = new Set(['ErrorReply', 'SimpleError', 'BlobError', 'MultiErrorReply'])

function replyWord(error: Error): string | undefined {
  return replyClasses.has(error.constructor.name) ? /^[A-Z]{2,20}\b/.exec(error.message)?.[0] : undefined
}

function readFrames({ stack }: Error): string[] | undefined {
  return stack
    ?.split('\n')
    .filter(line => line.startsWith('    at '))
    .slice(0, 8)
    .map(line => line.trim().slice(3))
}
