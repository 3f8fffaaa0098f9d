import { isatty } from 'node:tty'
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import { errorFields } from './error-fields.ts'
import { standardOutput } from './standard-output.ts'

export type Log = Logger

/**
 * Logs JSON lines to standard output, or readable lines to a developer's terminal. With a destination, JSON lines go there
 * instead. Errors are reduced to class, codes and stack, because a driver's message can quote values.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const readable = !destination && isatty(1) && hasPrettyPrinter()
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: label => ({ level: label }) },
    serializers: { err: errorFields },
    ...(readable
      ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', singleLine: true } } }
      : {}),
  }
  if (readable) return pino(options)
  return pino(options, destination ?? standardOutput())
}

/** It's a development dependency: without those, a terminal gets JSON lines too. */
function hasPrettyPrinter(): boolean {
  try {
    import.meta.resolve('pino-pretty')
    return true
  } catch {
    return false
  }
}
