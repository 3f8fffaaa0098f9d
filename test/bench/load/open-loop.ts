/** The program that sends requests at given times, whether or not the earlier ones have their response. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { quantile } from '../report/quantile.ts'
import type { BenchRequest } from './closed-loop.ts'

export interface OpenLoopOrder {
  /** In turn. */
  origins: string[]
  seconds: number
  /** By name, requests that are sent one after the other. */
  clients: Record<string, { everyMs: number; requests: BenchRequest[] }>
}

/** Of a client; milliseconds. What has failed took all of the time that a client waits. */
export interface Latencies {
  p50: number
  p99: number
  slowest: number
  /** The share of the requests that succeeded within a second. */
  inTime: number
}

const waitMsMax = 15_000

process.on('message', async (order: OpenLoopOrder | string) => {
  if (typeof order === 'string') return
  const agent = new Agent({ connections: 200, headersTimeout: waitMsMax })
  const sending = Object.entries(order.clients).map(
    async ([name, client]) => [name, await send(agent, order, client)] as const,
  )
  process.send!(Object.fromEntries(await Promise.all(sending)))
  await agent.destroy()
})

async function send(
  agent: Agent,
  { origins, seconds }: OpenLoopOrder,
  { everyMs, requests }: OpenLoopOrder['clients'][string],
): Promise<Latencies> {
  const startedAt = performance.now()
  const sent = Array.from({ length: (seconds * 1_000) / everyMs }, async (_, index) => {
    const dueAt = startedAt + index * everyMs
    await sleep(Math.max(0, dueAt - performance.now()))
    const origin = origins[index % origins.length]!
    const isServed = await agent.request({ ...requests[index % requests.length]!, origin }).then(
      ({ statusCode, body }) => body.dump().then(() => statusCode === 200),
      () => false,
    )
    return isServed ? performance.now() - dueAt : waitMsMax
  })
  const latencies = await Promise.all(sent)
  const [p50, p99, slowest] = [0.5, 0.99, 1].map(share => quantile(latencies, share)) as [
    number,
    number,
    number,
  ]
  return { p50, p99, slowest, inTime: latencies.filter(ms => ms <= 1_000).length / latencies.length }
}
