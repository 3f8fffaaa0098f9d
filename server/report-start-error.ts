import { isatty } from 'node:tty'
import { createLog } from './log.ts'
import { describeExpectedError, describeStartError } from './start-error.ts'

/** Tells why a start failed: people at a terminal by plain text, what reads the log by a line for each reason. */
export function reportStartError(error: unknown): void {
  if (isatty(1)) {
    console.error(describeStartError(error))
    return
  }
  const log = createLog('fatal')
  const reasons = describeExpectedError(error)?.split('\n')
  if (!reasons) log.fatal({ err: error }, 'The start failed')
  for (const reason of reasons ?? []) log.fatal(reason)
}
