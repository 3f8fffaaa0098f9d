/** The program that generates load on a server, for one order after the other. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { quantile } from '../report/quantile.ts'
import type { LoadOrder, LoadReport } from './order.ts'

/** How long a connection pauses after a rejection. */
const retryAfterMs = 100

process.on('message', async (order: LoadOrder | string) => {
  if (typeof order !== 'string') process.send!(await load(order))
})

async function load(order: LoadOrder): Promise<LoadReport> {
  const {
    origin,
    connections,
    seconds,
    requests,
    once,
    requestsMax = Number.POSITIVE_INFINITY,
    status,
  } = order
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const latencies: number[] = []
  const startedAt = performance.now()
  const end = startedAt + seconds * 1000
  const sentMax = once ? requests.length : requestsMax
  let sent = 0
  let rejected = 0
  let error: string | undefined
  async function sendSequentially(): Promise<void> {
    while (!error && performance.now() < end && sent < sentMax) {
      const sentAt = performance.now()
      const response = await pool.request(requests[sent++ % requests.length]!)
      if (response.statusCode === status) {
        await response.body.dump()
        latencies.push(performance.now() - sentAt)
      } else {
        const text = await response.body.text()
        if (!text.includes('"overloaded"')) error ??= `${response.statusCode} ${text}`
        rejected += 1
        await sleep(retryAfterMs)
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, sendSequentially))
  const elapsed = (performance.now() - startedAt) / 1000
  await pool.close()
  const [p50Ms, p99Ms] = [quantile(latencies, 0.5), quantile(latencies, 0.99)]
  return { requests: latencies.length, rejected, seconds: elapsed, p50Ms, p99Ms, ...(error ? { error } : {}) }
}
