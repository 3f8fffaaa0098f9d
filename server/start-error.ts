/** An expected reason why the embedded parts cannot start. Its message is one line for the terminal. */
export class StartError extends Error {
  override name = 'StartError'
}
