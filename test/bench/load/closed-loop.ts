/** The program that sends requests to a server, for one order after the other. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { quantile } from '../report/quantile.ts'

/** One HTTP request of a load. */
export interface BenchRequest {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
}

/** Each connection waits for its response, and then sends the next request. */
export interface LoadOrder {
  origin: string
  connections: number
  seconds: number
  requests: BenchRequest[]
  /** Whether the load ends with the last request; otherwise the requests are repeated. */
  once: boolean
}

export interface LoadReport {
  /** Responses with success. */
  requests: number
  /** Responses of an overloaded server, whose connections then pause. */
  rejected: number
  seconds: number
  p50Ms: number
  p99Ms: number
  /** The first other response, which stopped the load. */
  error?: string
}

/** How long a connection pauses after a rejection. */
const retryAfterMs = 100

process.on('message', async (order: LoadOrder | string) => {
  if (typeof order !== 'string') process.send!(await sendAll(order))
})

async function sendAll({ origin, connections, seconds, requests, once }: LoadOrder): Promise<LoadReport> {
  const pool = new Pool(origin, { connections })
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
      const { statusCode, body } = await pool.request(requests[sent++ % requests.length]!)
      const text = await body.text()
      if (statusCode < 300) {
        latencies.push(performance.now() - sentAt)
      } else {
        if (!text.includes('"overloaded"')) error ??= `${statusCode} ${text}`
        rejected += 1
        await sleep(retryAfterMs)
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, sendSequentially)).catch(lost => {
    error ??= String(lost)
  })
  const elapsed = (performance.now() - startedAt) / 1000
  await pool.destroy()
  const [p50Ms, p99Ms] = [quantile(latencies, 0.5), quantile(latencies, 0.99)]
  return { requests: latencies.length, rejected, seconds: elapsed, p50Ms, p99Ms, ...(error ? { error } : {}) }
}
