/** The program that generates load on a server, for one order after the other. */
import { Pool } from 'undici'
import { quantile } from '../report/quantile.ts'
import type { LoadOrder, LoadReport } from './order.ts'

process.on('message', async (order: LoadOrder | string) => {
  if (typeof order !== 'string') process.send!(await load(order))
})

async function load({
  origin,
  connections,
  seconds,
  requests,
  once,
  status,
}: LoadOrder): Promise<LoadReport> {
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const latencies: number[] = []
  const startedAt = performance.now()
  const end = startedAt + seconds * 1000
  let sent = 0
  let error: string | undefined
  async function sendSequentially(): Promise<void> {
    while (!error && performance.now() < end && !(once && sent >= requests.length)) {
      const sentAt = performance.now()
      const response = await pool.request(requests[sent++ % requests.length]!)
      if (response.statusCode === status) await response.body.dump()
      else error ??= `${response.statusCode} ${await response.body.text()}`
      latencies.push(performance.now() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: connections }, sendSequentially))
  const elapsed = (performance.now() - startedAt) / 1000
  await pool.close()
  const [p50Ms, p99Ms] = [quantile(latencies, 0.5), quantile(latencies, 0.99)]
  return { requests: latencies.length, seconds: elapsed, p50Ms, p99Ms, ...(error ? { error } : {}) }
}
