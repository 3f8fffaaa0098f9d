import { isatty } from 'node:tty'
import { createLog } from './log.ts'
import { describeExpectedError, describeStartError } from './start-error.ts'

/** Reports why a start failed: at a terminal as plain text, otherwise as a line of the log for each reason. */
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
