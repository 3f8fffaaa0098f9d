/** Adds to the title of a suite or a test why it doesn't run on this machine. */
export function pendingTitle(title: string, reason: string): string {
  return `${title} (pending: ${reason})`
}

/** The reason in a full title, or undefined if it has none. */
export function pendingReason(fullTitle: string): string | undefined {
  return /\(pending: (.*?)\)(?: |$)/.exec(fullTitle)?.[1]
}
