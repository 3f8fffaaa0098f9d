import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../report/quantile.ts'
import type { ClosedLoopOrder, ClosedLoopReport } from './orders.ts'
import { createRawClient } from './raw-client.ts'

/** How long a connection pauses after a rejection. */
const retryAfterMs = 100

export async function closedLoop(order: ClosedLoopOrder): Promise<ClosedLoopReport> {
  const { origin, connections, seconds, requests, once, statuses } = order
  const client = createRawClient(origin, connections)
  const latencies: number[] = []
  const startedAt = performance.now()
  const end = startedAt + seconds * 1000
  const sentMax = once ? requests.length : Number.POSITIVE_INFINITY
  let sent = 0
  let rejected = 0
  let error: string | undefined
  async function sendSequentially(): Promise<void> {
    while (!error && performance.now() < end && sent < sentMax) {
      const sentAt = performance.now()
      const { status, body } = await client.request(requests[sent++ % requests.length]!)
      if (statuses?.includes(status) ?? status < 300) {
        latencies.push(performance.now() - sentAt)
      } else {
        if (!body.includes('"overloaded"')) error ??= `${status} ${body}`
        rejected += 1
        await sleep(retryAfterMs)
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, sendSequentially)).catch(lost => {
    error ??= String(lost)
  })
  const elapsed = (performance.now() - startedAt) / 1000
  client.close()
  const [p50Ms, p99Ms] = [quantile(latencies, 0.5), quantile(latencies, 0.99)]
  return { requests: latencies.length, rejected, seconds: elapsed, p50Ms, p99Ms, ...(error ? { error } : {}) }
}
