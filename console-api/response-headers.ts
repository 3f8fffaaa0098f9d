import type { ConsoleErrorData } from './errors.ts'

/** Responses may contain secrets, so none is cached. Errors add the headers that tell a client how to proceed. */
export function headersFor(errors: Pick<ConsoleErrorData, 'httpStatus' | 'details'>[]): Headers {
  const headers = new Headers({ 'cache-control': 'no-store' })
  if (errors.some(error => error.httpStatus === 401)) headers.set('www-authenticate', 'Bearer')
  const delays = errors.map(error => error.details?.retryAfterSeconds ?? 0)
  const longest = Math.max(0, ...delays)
  if (longest > 0) headers.set('retry-after', String(longest))
  return headers
}
