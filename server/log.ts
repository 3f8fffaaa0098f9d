import { isatty } from 'node:tty'
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import { ProviderUnavailable } from '#domain/ports.ts'

export type Log = Logger

/**
 * Logs JSON lines to standard output, or readable lines to a terminal. With a destination, JSON lines go there
 * instead. Errors are reduced to class, code and stack, because a driver's message can quote values.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const readable = !destination && isatty(1)
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: label => ({ level: label }) },
    serializers: { err: describeError },
    ...(readable
      ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', singleLine: true } } }
      : {}),
  }
  return destination ? pino(options, destination) : pino(options)
}

interface ErrorDescription {
  type: string
  code?: string
  /** Why the provider is unavailable; a message of this project, never the provider's. */
  reason?: string
  /** The stack frames, without the message, which can quote values. */
  at?: string[]
  cause?: ErrorDescription | string
}

/** A string is the cause of a domain error, a message of this project. */
function describeError(error: unknown): ErrorDescription | string {
  if (typeof error === 'string') return error
  if (!(error instanceof Error)) return { type: typeof error }
  const { cause } = error
  const at = error.stack
    ?.split('\n')
    .filter(line => line.startsWith('    at '))
    .slice(0, 8)
  return {
    type: error.name,
    ...('code' in error ? { code: String(error.code) } : {}),
    ...(error instanceof ProviderUnavailable ? { reason: error.message } : {}),
    ...(at ? { at: at.map(line => line.trim().slice(3)) } : {}),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  }
}
