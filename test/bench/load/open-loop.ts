/**
 * The program that sends requests at a fixed rate, whether or not responses arrive: unlike a closed loop, it can demand
 * more than a server can do.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { quantile } from '../report/quantile.ts'
import type { BenchRequest } from './order.ts'
import { createRawClient, NotSentError, type RawClient } from './raw-client.ts'

export interface OpenLoopOrder {
  origin: string
  seconds: number
  /** They send at the same time, each on its own connections. */
  clients: OpenLoopClient[]
}

/** Requests that are sent in a cycle, each at its share of the rate. */
export interface OpenLoopClient {
  requests: BenchRequest[]
  perSecond: number
  connections: number
  /** Whether connections are opened when they are needed, as a burst of new clients does; all beforehand otherwise. */
  opensOnDemand?: boolean
}

/** Of one client. */
export interface OpenLoopReport {
  /** That were due, and so many of them for which no connection was free until the end. */
  due: number
  unsent: number
  /** Responses with 200 or 201. */
  served: number
  /** Those of them with 201. */
  created: number
  /** Served within a second from when they were due. */
  servedInSecond: number
  /** Rejected because of overload. */
  shed: number
  /** Everything else: other statuses, errors of the connection. */
  failed: number
  /** A sample of what failed. */
  failure?: string
  /** Of served requests, from when they were due; null if there were none. */
  p50Ms: number | null
  p99Ms: number | null
  /** Of shed requests. */
  shedP50Ms: number | null
}

const tickMs = 5

process.on('message', async (order: OpenLoopOrder | string) => {
  if (typeof order === 'string') return
  const { origin, seconds } = order
  const clients = await Promise.all(order.clients.map(client => open(origin, client)))
  process.send!(
    await Promise.all(clients.map((client, index) => load(client, order.clients[index]!, seconds))),
  )
})

async function open(
  origin: string,
  { connections, opensOnDemand = false }: OpenLoopClient,
): Promise<RawClient> {
  const client = createRawClient(origin, connections)
  if (!opensOnDemand) await client.openAll({ method: 'GET', path: '/health/live', headers: {} })
  return client
}

async function load(client: RawClient, { requests, perSecond }: OpenLoopClient, seconds: number) {
  const servedMs: number[] = []
  const shedMs: number[] = []
  const failures: string[] = []
  const pending = new Set<Promise<void>>()
  let due = 0
  let unsent = 0
  let created = 0
  const send = async (request: BenchRequest, dueAt: number): Promise<void> => {
    try {
      const { status, body } = await client.request(request)
      const elapsed = performance.now() - dueAt
      if (status === 201) created += 1
      if (status < 300) servedMs.push(elapsed)
      else if (body.includes('"overloaded"')) shedMs.push(elapsed)
      else failures.push(`${status} ${body}`)
    } catch (error) {
      if (error instanceof NotSentError) unsent += 1
      else failures.push(String(error))
    }
  }
  const startedAt = performance.now()
  const intervalMs = 1_000 / perSecond
  for (;;) {
    const elapsed = performance.now() - startedAt
    if (elapsed > seconds * 1_000) break
    while (due * intervalMs <= elapsed) {
      const sending = send(requests[due % requests.length]!, startedAt + due * intervalMs)
      pending.add(sending)
      void sending.then(() => pending.delete(sending))
      due += 1
    }
    await wait(tickMs)
  }
  client.cancelWaiting()
  await Promise.all(pending)
  client.close()
  const report: OpenLoopReport = {
    due,
    unsent,
    served: servedMs.length,
    created,
    servedInSecond: servedMs.filter(ms => ms <= 1_000).length,
    shed: shedMs.length,
    failed: failures.length,
    ...(failures[0] ? { failure: failures[0] } : {}),
    p50Ms: quantileOrNull(servedMs, 0.5),
    p99Ms: quantileOrNull(servedMs, 0.99),
    shedP50Ms: quantileOrNull(shedMs, 0.5),
  }
  return report
}

function quantileOrNull(values: readonly number[], share: number): number | null {
  return values.length === 0 ? null : quantile(values, share)
}
