/**
 * A response that the service did not write: of a proxy, a firewall, or a network that wants the user to sign in. The
 * message names it to who runs that.
 */
export class ForeignResponse extends Error {
  /** 0 for a redirect, which browsers hide. */
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor({ status, headers }: Response, retryAfterSeconds = readRetryAfter(headers)) {
    const named = traces.filter(name => headers.has(name)).map(name => `${name}: ${headers.get(name)}`)
    super([status === 0 ? 'HTTP redirect' : `HTTP ${status}`, ...named].join(', '))
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** Whether the same request can succeed later. Otherwise the user has to do something first. */
  get isPassing(): boolean {
    return this.status === 408 || this.status === 429 || this.status >= 500
  }
}

/** Headers by which proxies are known, and find a request in their logs. */
const traces = ['server', 'cf-mitigated', 'cf-ray', 'x-amz-cf-id', 'x-azure-ref', 'x-request-id']

/** Throws `ForeignResponse` for a response that is neither JSON nor CSV, also for a redirect. */
export function refuseForeign(response: Response): Response {
  if (/^(application\/json|text\/csv)\b/.test(response.headers.get('content-type') ?? '')) return response
  throw new ForeignResponse(response)
}

/** In seconds, or as a date, which is compared with that of the response: the browser's clock may be wrong. */
function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  if (/^\d+$/.test(value)) return Number(value)
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  const seconds = Math.ceil((Date.parse(value) - now) / 1_000)
  return seconds >= 0 ? seconds : undefined
}
