/** Something was not as expected; the message says what, in a line for the terminal. */
export class DemoAssertionError extends Error {
  override name = 'DemoAssertionError'
}

/** Narrows to what was expected. */
export function expect(holds: boolean, message: string): asserts holds {
  if (!holds) throw new DemoAssertionError(message)
}
