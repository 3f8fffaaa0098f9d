import type { ListedEvent } from './listen.ts'

export interface ForwardOptions {
  /** The receiver's URL. */
  forwardTo: string
  /** Before attempts 2 and 3 of events that the service does not repeat, because the tenant has no webhook URL. */
  retryDelaysMs: readonly number[]
  onAttempt(attempt: Attempt): void
}

export interface Attempt {
  event: ListedEvent
  /** 1 to 3. */
  attempt: number
  /** The HTTP status of the receiver's response; undefined if it has not responded. */
  status: number | undefined
  /** Why it has not responded. */
  failure: string | undefined
  durationMs: number
  /** When the next attempt follows; undefined if none is made here. */
  retryInMs: number | undefined
}

/** As long as the service waits for a receiver. */
const timeoutMs = 5_000

/** Sends the event to the receiver as the service does, and again later if that fails. Never throws. */
export async function forward(
  event: ListedEvent,
  options: ForwardOptions,
  attempt = event.attempt,
): Promise<void> {
  const { forwardTo, retryDelaysMs, onAttempt } = options
  const startedAt = performance.now()
  const response = await post(event, forwardTo)
  const durationMs = Math.round(performance.now() - startedAt)
  const isRepeated = !isSuccess(response.status) && event.url === null
  const retryInMs = isRepeated ? retryDelaysMs[attempt - 1] : undefined
  onAttempt({ event, attempt, ...response, durationMs, retryInMs })
  if (retryInMs !== undefined) setTimeout(() => void forward(event, options, attempt + 1), retryInMs)
}

export function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300
}

async function post(
  { headers, body }: ListedEvent,
  url: string,
): Promise<Pick<Attempt, 'status' | 'failure'>> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    response.body?.cancel().catch(() => {})
    return { status: response.status, failure: undefined }
  } catch (error) {
    return { status: undefined, failure: explain(error) }
  }
}

/** What fetch throws says only in its cause what has happened. */
function explain(error: unknown): string {
  const { name, message, cause } = error as Error
  if (name === 'TimeoutError') return `no response within ${timeoutMs / 1000} s`
  const { code, message: reason } = Object(cause) as { code?: string; message?: string }
  return `no connection: ${code || reason || message}`
}
