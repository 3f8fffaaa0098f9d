/** An expected reason why the service cannot start. Its message is for the terminal and names what to change. */
export class StartError extends Error {
  override name = 'StartError'
}

/** What the terminal shows when a start fails: the message of an expected reason, the stack of any other error. */
export function describeStartError(error: unknown): string {
  if (error instanceof StartError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
