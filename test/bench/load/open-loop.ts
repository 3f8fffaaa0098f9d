import { setTimeout as wait } from 'node:timers/promises'
import { quantile } from '../report/quantile.ts'
import type { BenchRequest, OpenLoopClient, OpenLoopOrder, OpenLoopReport } from './orders.ts'
import { createRawClient, NotSentError, type RawClient } from './raw-client.ts'

const tickMs = 5

export async function openLoop({ origin, seconds, clients }: OpenLoopOrder): Promise<OpenLoopReport[]> {
  const opened = await Promise.all(clients.map(client => open(origin, client)))
  return await Promise.all(opened.map((client, index) => load(client, clients[index]!, seconds)))
}

async function open(origin: string, { connections, hasAddresses }: OpenLoopClient): Promise<RawClient> {
  const client = createRawClient(origin, connections, hasAddresses)
  await client.openAll({ method: 'GET', path: '/health/live', headers: {} })
  return client
}

async function load(client: RawClient, order: OpenLoopClient, seconds: number) {
  const { requests, perSecond, statuses } = order
  const servedMs: number[] = []
  const failures: string[] = []
  const pending = new Set<Promise<void>>()
  let due = 0
  let created = 0
  let rejected = 0
  const send = async (request: BenchRequest, dueAt: number): Promise<void> => {
    try {
      const { status, body } = await client.request(request)
      if (status === 201) created += 1
      if (statuses?.includes(status) ?? status < 300) servedMs.push(performance.now() - dueAt)
      else if (body.includes('"overloaded"')) rejected += 1
      else failures.push(`${status} ${body}`)
    } catch (error) {
      if (!(error instanceof NotSentError)) failures.push(String(error))
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
    served: servedMs.length,
    created,
    servedInSecond: servedMs.filter(ms => ms <= 1_000).length,
    rejected,
    failed: failures.length,
    ...(failures[0] ? { failure: failures[0] } : {}),
    p50Ms: servedMs.length === 0 ? null : quantile(servedMs, 0.5),
    p99Ms: servedMs.length === 0 ? null : quantile(servedMs, 0.99),
  }
  return report
}
