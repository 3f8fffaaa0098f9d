/** The process that loads a server, for one order after the other. */
import { Pool } from 'undici'
import { quantile } from '../report/quantile.ts'
import type { LoadOrder, LoadReport } from './order.ts'

process.on('message', async (order: LoadOrder | 'cpu') => {
  if (order !== 'cpu') process.send!(await load(order))
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
  const begun = performance.now()
  const end = begun + seconds * 1000
  let sent = 0
  let fault: string | undefined
  async function sendInTurn(): Promise<void> {
    while (!fault && performance.now() < end && !(once && sent >= requests.length)) {
      const sentAt = performance.now()
      const answer = await pool.request(requests[sent++ % requests.length]!)
      if (answer.statusCode === status) await answer.body.dump()
      else fault ??= `${answer.statusCode} ${await answer.body.text()}`
      latencies.push(performance.now() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: connections }, sendInTurn))
  const elapsed = (performance.now() - begun) / 1000
  await pool.close()
  const [p50Ms, p99Ms] = [quantile(latencies, 0.5), quantile(latencies, 0.99)]
  return { requests: latencies.length, seconds: elapsed, p50Ms, p99Ms, ...(fault ? { fault } : {}) }
}
