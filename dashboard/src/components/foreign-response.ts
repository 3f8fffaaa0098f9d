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
    return [408, 425, 429].includes(this.status) || (this.status >= 500 && this.status !== 511)
  }
}

/** Headers by which proxies are known, and find a request in their logs. */
const traces = ['server', 'cf-mitigated', 'cf-ray', 'x-amz-cf-id', 'x-azure-ref', 'x-request-id']

/**
 * The JSON of a response. Throws `ForeignResponse` for anything else, and for what has none of the fields by which the
 * sender's is known, as in `error.data`.
 */
export async function readJson(response: Response, ...fields: string[]): Promise<unknown> {
  const body = parse(await response.text())
  const find = (from: unknown, name: string) => Object(from)[name]
  if (fields.some(field => field.split('.').reduce(find, body) !== undefined)) return body
  throw new ForeignResponse(response)
}

/** Undefined for what is no JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const retryAfterMaxSeconds = 24 * 60 * 60

/** In seconds, or as a date, which is compared with that of the response: the browser's clock may be wrong. */
function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - now) / 1_000)
  return seconds >= 0 ? Math.min(seconds, retryAfterMaxSeconds) : undefined
}
