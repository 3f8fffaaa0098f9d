import { CommanderError } from 'commander'
import { toDomainError } from '#domain/to-domain-error.ts'
import { ConfigError } from '../config.ts'
import { StartError } from '../start-error.ts'

export interface Fault {
  /** One of the product's codes, `CONFIGURATION_ERROR` or `START_ERROR`. */
  error: string
  /** One line. */
  message: string
}

/** An error as a script and a person can read it. Unlike a tenant, an operator is told the cause. */
export function describeError(error: unknown): Fault {
  if (error instanceof CommanderError) return fault('INVALID_PARAMETERS', usage(error))
  if (error instanceof ConfigError) return fault('CONFIGURATION_ERROR', error.message.replaceAll('\n', '; '))
  if (error instanceof StartError) return fault('START_ERROR', error.message)
  const { code, message, cause } = toDomainError(error)
  if (cause === undefined) return fault(code, message)
  const reason = reasonOf(cause)
  // The public sentence of an internal error speaks of retrying and of a request: there is none here.
  return fault(code, code === 'INTERNAL_ERROR' ? reason : `${message} (${reason})`)
}

/** What the driver or the system said. A host name's several refused addresses come without a message. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || String('code' in cause ? cause.code : cause.name)
}

function usage(error: CommanderError): string {
  if (error.code === 'commander.help')
    return 'The command is incomplete: name a noun and a verb, or use --help.'
  return error.message.replace(/^error: (.)/, (_, first: string) => first.toUpperCase())
}

function fault(error: string, message: string): Fault {
  return { error, message: message.replace(/\s+/g, ' ').trim() }
}
