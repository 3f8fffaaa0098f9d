import { ConfigError } from './config.ts'
import { StartError } from './start-error.ts'

/** Why the service did not start: a line for each reason that a person can mend, the stack for a fault of ours. */
export function describeError(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StartError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
