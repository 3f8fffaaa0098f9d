import { z } from 'zod'
import { DomainError } from './errors.ts'

/** Parses one parameter. Throws `INVALID_PARAMETERS` with the parameter's path. */
export function readParameter<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  throw invalidParameter(path, read.error.issues[0]?.message ?? 'The value is invalid.')
}

export function invalidParameter(path: string, message: string): DomainError {
  return new DomainError('INVALID_PARAMETERS', { message, details: { issues: [{ path, message }] } })
}

/** Trimmed single-line text: well-formed, and without control characters, which PostgreSQL or a terminal may reject. */
export function lineOfText(label: string, charactersMax: number): z.ZodType<string> {
  const message = `${label} must have 1 to ${charactersMax} characters and no control characters.`
  return z
    .string(message)
    .trim()
    .min(1, message)
    .max(charactersMax, message)
    .refine(text => text.isWellFormed() && !/\p{Cc}/u.test(text), message)
}
