import type { components } from '../generated/openapi.ts'
import { pause } from '../pause.ts'
import { isTransient, retryPolicy } from '../retry.policy.ts'
import type { ServiceConnection } from '../service-connection.ts'

type Page = components['schemas']['TestEvents']
export type ListedEvent = Page['events'][number]

export interface Listening {
  service: ServiceConnection
  /** Where to begin: `latest` with the next event, `0` with those of the last 24 hours. */
  after: 'latest' | '0'
  /** Called once, when no later event can be missed any more. */
  onListening(): void
  /** Gets one event after the other, oldest first. */
  onEvent(event: ListedEvent): Promise<void>
  /** Called when the service does not respond, or asks for a pause; not again before it has responded. */
  onInterruption(error: Error): void
}

/** Proxies commonly end a request after 30 seconds. */
const waitSeconds = 25

/** Between two requests, if the service fails or responds without an event. */
const intervalMs = 1_000

/**
 * Gets the events of a test tenant, by long polling, through outages and rate limits. Ends only by throwing: an
 * `AgeVerificationError`, such as that of a key that is not admitted, or a `ServiceConnectionError` if what responds isn't the
 * service.
 */
export async function listen({ after: first, ...listening }: Listening): Promise<never> {
  const { service, onListening, onEvent, onInterruption } = listening
  let after: string = first
  let isListening = false
  let isInterrupted = false
  for (;;) {
    const askedAt = performance.now()
    let pauseMs = 0
    try {
      const { events, next } = await readPage(service, after, isListening ? waitSeconds : 0)
      isInterrupted = false
      if (!isListening) onListening()
      else if (events.length === 0) pauseMs = intervalMs - (performance.now() - askedAt)
      isListening = true
      for (const event of events) await onEvent(event)
      after = next
    } catch (error) {
      if (!isTransient(error)) throw error
      if (!isInterrupted) onInterruption(error)
      isInterrupted = true
      pauseMs = (error.retryAfterSeconds ?? 0) * 1000 || intervalMs
    }
    if (pauseMs > 0) await pause(pauseMs)
  }
}

async function readPage(service: ServiceConnection, after: string, wait: number): Promise<Page> {
  return await service.request<Page>({
    method: 'GET',
    path: `/test/events?${new URLSearchParams({ after, wait: String(wait) })}`,
    form: { events: Array.isArray, next: value => typeof value === 'string' },
    timeoutMs: 15_000 + wait * 1000,
    retries: retryPolicy(0),
  })
}
