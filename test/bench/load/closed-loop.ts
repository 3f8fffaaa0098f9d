/** The program that finds out how many requests a server can serve: each connection sends the next one at once. */
import type { BenchRequest } from './order.ts'
import { createRawClient } from './raw-client.ts'

/** Requests that are sent in a cycle. */
export interface ClosedLoopOrder {
  origin: string
  requests: BenchRequest[]
  connections: number
  seconds: number
}

export interface ClosedLoopReport {
  servedPerSecond: number
}

process.on('message', async (order: ClosedLoopOrder | string) => {
  if (typeof order !== 'string') process.send!(await load(order))
})

async function load({ origin, requests, connections, seconds }: ClosedLoopOrder): Promise<ClosedLoopReport> {
  const client = createRawClient(origin, connections)
  const startedAt = performance.now()
  const elapsedSeconds = () => (performance.now() - startedAt) / 1_000
  let sent = 0
  let served = 0
  async function sendSequentially(): Promise<void> {
    while (elapsedSeconds() < seconds) {
      const { status, body } = await client.request(requests[sent++ % requests.length]!)
      if (status >= 300) throw new Error(`${status} ${body}`)
      served += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, sendSequentially))
  client.close()
  return { servedPerSecond: served / elapsedSeconds() }
}
