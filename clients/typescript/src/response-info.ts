/** What the service says about a response besides its body. */
export interface ResponseInfo {
  /** The HTTP status. */
  status: number
  /** Identifies the request in the service's log. Quote it when you ask the operator. */
  requestId: string | undefined
  /** The window of the rate limit that the request counted in. */
  rateLimit: RateLimit | undefined
  /** Whether it is the first response to the idempotency key again. */
  replayed: boolean
}

export interface RateLimit {
  /** Requests allowed in the window. */
  limit: number
  /** Requests left in it. */
  remaining: number
  resetsAt: Date
}

/** A result with `lastResponse`, which is not enumerable, so that neither JSON nor a comparison has it. */
export type WithResponse<Result> = Result & { readonly lastResponse: ResponseInfo }

export function withResponse<Result extends object>(
  result: Result,
  lastResponse: ResponseInfo,
): WithResponse<Result> {
  return Object.defineProperty(result, 'lastResponse', { value: lastResponse }) as WithResponse<Result>
}

export function readResponseInfo(
  status: number,
  headers: { get(name: string): string | null },
): ResponseInfo {
  return {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    rateLimit: readRateLimit(name => headers.get(`x-ratelimit-${name}`)),
    replayed: headers.get('idempotent-replayed') === 'true',
  }
}

/** The last second of the year 9999. What is later, such as milliseconds, is no time of the service. */
const resetSecondsMax = 253_402_300_799

/** Undefined if a number is missing or can't be one of the service. */
function readRateLimit(read: (name: string) => string | null): RateLimit | undefined {
  const texts = ['limit', 'remaining', 'reset'].map(name => read(name) ?? '')
  if (!texts.every(text => /^\d{1,15}$/.test(text))) return undefined
  const [limit, remaining, reset] = texts.map(Number) as [number, number, number]
  return reset > resetSecondsMax ? undefined : { limit, remaining, resetsAt: new Date(reset * 1000) }
}
