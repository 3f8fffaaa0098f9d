import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { decisionOn, sendCallback } from '../../harness/provider-callback.ts'
import { call, tenantClient } from '../../harness/tenant-client.ts'
import type { FailoverService } from './failover-service.ts'

/** What the clients of a service have seen. Times are `performance.now()`. */
export interface Ledger {
  /** Verifications whose start was acknowledged. */
  started: string[]
  /** Verifications whose decision was acknowledged. */
  decided: string[]
  /** The calls of each kind: when each ended, and whether it succeeded. */
  calls: Record<CallKind, { at: number; ok: boolean }[]>
}

export type CallKind = 'start' | 'status' | 'callback'

export interface Workload {
  ledger: Ledger
  /** Sends no new calls, and resolves when those in flight have ended and every callback is acknowledged. */
  stop(): Promise<void>
}

const intervalMs = 100
/** Clients give up a call after this time. */
const patienceMs = 10_000

/**
 * Clients at a steady pace, whatever the service answers: starts, status requests and the provider's decisions, which
 * are repeated until they are acknowledged.
 */
export function runWorkload({ service, tenant }: Pick<FailoverService, 'service' | 'tenant'>): Workload {
  const client = tenantClient(service, tenant)
  const ledger: Ledger = { started: [], decided: [], calls: { start: [], status: [], callback: [] } }
  const inFlight = new Set<Promise<unknown>>()
  let isStopping = false

  async function attempt(kind: CallKind, send: () => Promise<{ status: number }>): Promise<boolean> {
    const ok = await Promise.race([
      send().then(
        ({ status }) => status < 300,
        () => false,
      ),
      wait(patienceMs, false, { ref: false }),
    ])
    ledger.calls[kind].push({ at: performance.now(), ok })
    return ok
  }

  async function verify(): Promise<void> {
    let id = ''
    const started = await attempt('start', async () => {
      const response = await client.start({}, { 'idempotency-key': randomUUID() })
      id = response.body?.verificationId
      return response
    })
    if (!started) return
    ledger.started.push(id)
    const { body } = await call(`${service.veriffUrl}/control/sessions/${id}`)
    const decision = decisionOn({ sessionId: body.session.id, vendorData: id }, 'approved')
    while (!(await attempt('callback', () => sendCallback(service, decision)))) await wait(250)
    ledger.decided.push(id)
  }

  const track = (work: Promise<unknown>) => {
    inFlight.add(work)
    void work.finally(() => inFlight.delete(work))
  }
  const running = (async () => {
    while (!isStopping) {
      track(verify())
      const known = ledger.started.at(-1)
      if (known) track(attempt('status', () => client.status(known)))
      await wait(intervalMs)
    }
  })()
  return {
    ledger,
    async stop() {
      isStopping = true
      await running
      while (inFlight.size > 0) await Promise.all(inFlight)
    },
  }
}
