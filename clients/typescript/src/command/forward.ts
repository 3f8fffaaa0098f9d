import http from 'node:http'
import https from 'node:https'
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

/** Never through a proxy of the surroundings: none reaches what only this machine does. */
function post({ headers, body }: ListedEvent, url: string): Promise<Pick<Attempt, 'status' | 'failure'>> {
  const { request } = url.toLowerCase().startsWith('https:') ? https : http
  return new Promise(resolve => {
    request(url, { method: 'POST', headers, agent: false, signal: AbortSignal.timeout(timeoutMs) })
      .on('error', error => resolve({ status: undefined, failure: explain(error) }))
      .on('response', response => {
        resolve({ status: response.statusCode, failure: undefined })
        response.destroy()
      })
      .end(body)
  })
}

function explain({ name, message, code }: NodeJS.ErrnoException): string {
  if (name === 'AbortError') return `no response within ${timeoutMs / 1000} s`
  return `no connection: ${code || message}`
}
