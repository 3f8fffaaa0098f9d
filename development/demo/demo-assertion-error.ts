/** A result differs from the expected one; the message is one line for the terminal. */
export class DemoAssertionError extends Error {
  override name = 'DemoAssertionError'
}

/** Throws a `DemoAssertionError` with the message unless the condition is true. */
export function expect(condition: boolean, message: string): asserts condition {
  if (!condition) throw new DemoAssertionError(message)
}
