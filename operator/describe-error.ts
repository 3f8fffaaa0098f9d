import { CommanderError } from 'commander'
import { toDomainError } from '#domain/to-domain-error.ts'
import { ConfigError } from '#server/configuration/config.ts'
import { StartError } from '#server/configuration/start-error.ts'

export interface ErrorDescription {
  /** A code of the error catalogue, `CONFIGURATION_ERROR` or `START_ERROR`. */
  error: string
  /** One line. */
  message: string
}

/** Describes an error to the operator, who, unlike a tenant, sees its cause. */
export function describeError(error: unknown): ErrorDescription {
  if (error instanceof CommanderError) return describe('INVALID_PARAMETERS', usageError(error))
  if (error instanceof ConfigError)
    return describe('CONFIGURATION_ERROR', error.message.replaceAll('\n', '; '))
  if (error instanceof StartError) return describe('START_ERROR', error.message)
  const { code, message, cause } = toDomainError(error)
  if (cause === undefined) return describe(code, message)
  const reason = describeCause(cause)
  // The public message of an internal error refers to retries and a request id, which do not apply here.
  return describe(code, code === 'INTERNAL_ERROR' ? reason : `${message} (${reason})`)
}

/** The message of the driver or the system. Failed connections to all addresses of a host have only a code. */
function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || String('code' in cause ? cause.code : cause.name)
}

function usageError(error: CommanderError): string {
  if (error.code === 'commander.help') return 'Incomplete command: expected a noun and a verb. See --help.'
  return error.message.replace(/^error: (.)/, (_, first: string) => first.toUpperCase())
}

function describe(error: string, message: string): ErrorDescription {
  return { error, message: message.replace(/\s+/g, ' ').trim() }
}
