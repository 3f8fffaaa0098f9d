import { Agent, type Dispatcher, request } from 'undici'
import type { Timeline } from '../judge/timeline.ts'
import type { SupervisedService } from '../system/supervised-service.ts'

/** A request and its answer, or the lack of one. Times are milliseconds since the start of the run. */
export interface Exchange {
  /** The name of the process that it was sent to. */
  process: string
  /** Method and path, for people. */
  request: string
  sentAt: number
  answeredAt: number
  /** Undefined without a complete answer. */
  status: number | undefined
  headers: Record<string, string | string[] | undefined>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: the model reads the fields that it expects, and reports others
  body: any
  /** Why there is no answer. `refused`: the request was not received; `aborted`: the run ended. */
  failure: 'refused' | 'closed' | 'late' | 'aborted' | undefined
}

export interface OutgoingRequest {
  process: Pick<SupervisedService, 'origin' | 'options'>
  method: Dispatcher.HttpMethod
  path: string
  headers?: Record<string, string>
  json?: unknown
}

/** Longer than a start takes: 10 s for the provider, or 12 s for the first one with its idempotency key. */
const deadlineMs = 15_000

/** Sends requests, by default each on a connection of its own: a killed process closes those that it has. */
export class Sender {
  readonly #timeline: Timeline
  readonly #agent: Agent
  readonly #aborted = new AbortController()
  #count = 0

  constructor(timeline: Timeline, { keepsConnections = false } = {}) {
    this.#timeline = timeline
    this.#agent = new Agent({ pipelining: keepsConnections ? 1 : 0, connect: { timeout: 5_000 } })
  }

  get count(): number {
    return this.#count
  }

  async send(outgoing: OutgoingRequest): Promise<Exchange> {
    const { process, method, path, json, headers = {} } = outgoing
    this.#count += 1
    const sent = { process: process.options.name, request: `${method} ${path}`, sentAt: this.#timeline.now() }
    const type: Record<string, string> = json === undefined ? {} : { 'content-type': 'application/json' }
    try {
      const response = await request(`${process.origin}${path}`, {
        method,
        headers: { ...type, ...headers, 'x-forwarded-for': clientAddress(this.#count) },
        body: json === undefined ? null : JSON.stringify(json),
        dispatcher: this.#agent,
        signal: AbortSignal.any([AbortSignal.timeout(deadlineMs), this.#aborted.signal]),
      })
      const text = await response.body.text()
      const { statusCode: status, headers: received } = response
      const answeredAt = this.#timeline.now()
      return { ...sent, answeredAt, status, headers: received, text, body: parse(text), failure: undefined }
    } catch (error) {
      const answeredAt = this.#timeline.now()
      const none = { status: undefined, headers: {}, text: '', body: undefined }
      return { ...sent, answeredAt, ...none, failure: toFailure(error as Error) }
    }
  }

  /** Gives up the requests in flight, which are not judged. */
  abort(): void {
    this.#aborted.abort()
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }
}

/** Another address for each request. */
function clientAddress(count: number): string {
  return `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toFailure(error: Error & { code?: string }): Exchange['failure'] {
  if (error.code === 'ECONNREFUSED') return 'refused'
  if (error.name === 'AbortError') return 'aborted'
  return error.name === 'TimeoutError' || error.code === 'UND_ERR_CONNECT_TIMEOUT' ? 'late' : 'closed'
}
