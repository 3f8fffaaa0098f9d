import type { ZodType } from 'zod'
import { DemoAssertionError } from './demo-assertion-error.ts'

/** The answer in its expected shape. Throws a `DemoAssertionError` that says who answered otherwise, and where. */
export function readAs<Shape>(shape: ZodType<Shape>, answer: unknown, who: string): Shape {
  const read = shape.safeParse(answer)
  if (read.success) return read.data
  const faults = read.error.issues.map(({ path, message }) => `${path.join('.') || 'all of it'}: ${message}`)
  throw new DemoAssertionError(`${who} answered in another shape than expected (${faults.join('; ')})`)
}
