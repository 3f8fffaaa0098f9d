import { z } from 'zod'

/** The reason in one line: `fetch` itself only says that it failed. */
export function describeFetchError(error: unknown): string {
  if (error instanceof z.ZodError) return 'the response is not of the expected form'
  if (error instanceof SyntaxError) return 'the response is not JSON'
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'no response in time'
  const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException
  return message || String(code)
}
