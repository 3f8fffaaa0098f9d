/**
 * How long a statement may remain unanswered before its connection is closed: the server is gone without having closed it, as
 * a frozen machine is, or one behind a network that drops packets. TCP takes minutes for that.
 */
export const statementDeadlineMs = 5_000

/** Statements of which one may read or delete many rows, by their names. */
const long = /^(delete|count|find-expired)-/

/** The server ends a statement after 30 seconds, and reports that within five. */
export const longDeadlineMs = 35_000

/** The deadline of a statement on connections that have this one. */
export function deadlineOf(name: string, deadlineMs: number): number {
  return long.test(name) ? Math.max(longDeadlineMs, deadlineMs) : deadlineMs
}
