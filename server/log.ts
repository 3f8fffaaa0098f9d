import { isatty } from 'node:tty'
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import { ProviderUnavailable } from '#domain/ports.ts'

export type Log = Logger

/**
 * JSON lines on standard output, or readable ones on a terminal. Errors are reduced to their class, code and
 * stack: a driver's message can quote values. With a destination, JSON lines go there instead.
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
  /** Why the provider could not be used, in the product's own words. */
  reason?: string
  /** Where it was thrown; without the message, which a driver can fill with values. */
  at?: string[]
  cause?: ErrorDescription | string
}

/** A text is a refusal's cause, in the product's own words. */
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
