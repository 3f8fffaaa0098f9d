import { pollingAfterStart } from '#domain/verification/polling.policy.ts'
import { decisionCodes, isFinal, type Outcome, outcomeData } from '#server/providers/test-provider/session.ts'
import { type EventuallyOptions, eventually } from '../../harness/eventually.ts'
import { clockStepMsMax } from '../faults/processes.ts'
import type { Run } from '../run.ts'
import { readStoredRows } from './check-rows.ts'

/** Longer than a lost callback and an interrupted start are waited for, after any clock step of the run. */
const aheadMs = pollingAfterStart.delayMs + 2 * clockStepMsMax + 65_000
/** A worker takes over the tasks of one that was killed within 80 s. */
const settleMsMax = 150_000

/**
 * Waits until nothing is in progress, and nothing more can be decided: the provider's callbacks are acknowledged, its decisions
 * whose callback was lost are found by polling, interrupted starts are released, and deliveries finished. What is due later, or
 * only according to a clock that was ahead, is made due by a worker's clock. That is right again afterwards: it would take
 * starts that are under way for interrupted ones.
 */
export async function settle(run: Run): Promise<void> {
  const { system } = run
  system.workers[0]!.setClock(aheadMs)
  await system.provider.release()
  await untilNone(run, 'The provider gets 200 for every callback', async () =>
    (await system.provider.sessions()).flatMap(({ deliveries }) =>
      deliveries.filter(({ state }) => state === 'waiting'),
    ),
  )
  const decided = new Set((await system.provider.sessions()).filter(isFinal).map(one => one.vendorData))
  await untilNone(run, 'Every decision of the provider is found', async () =>
    (await readStoredRows(system)).verifications.filter(
      ({ verificationId, completed }) => !completed && decided.has(verificationId),
    ),
  )
  await untilNone(run, 'The quota of interrupted starts is released', async () => {
    const { reservations } = await readStoredRows(system)
    return reservations === 0 ? [] : [{ reservations }]
  })
  await untilDelivered(run)
  await acknowledgeDecisions(run)
  system.workers[0]!.setClock(0)
}

/** Every delivery is delivered, or failed after its last attempt. */
export async function untilDelivered(run: Run): Promise<void> {
  await untilNone(run, 'Every delivery is finished', async () =>
    (await readStoredRows(run.system)).deliveries.filter(
      ({ state }) => state !== 'delivered' && state !== 'failed',
    ),
  )
}

/** Repeats until `find` finds nothing; what it still finds at the time limit is a violation. */
export async function untilNone(run: Run, promise: string, find: () => Promise<unknown[]>): Promise<void> {
  const until = (found: unknown[]) => found.length === 0
  await expectEventually(run, promise, find, { until, timeoutMs: settleMsMax })
}

/** Repeats a check; what it still returns at the time limit is a violation. */
export async function expectEventually<Value>(
  { violations }: Run,
  promise: string,
  check: () => Value | Promise<Value>,
  options?: EventuallyOptions<Value>,
): Promise<void> {
  await eventually(check, options).catch(error => violations.add(promise, String(error)))
}

/** Decisions whose callback was delayed or repeated are acknowledged now. */
async function acknowledgeDecisions({ system, ledger, timeline }: Run): Promise<void> {
  const accepted = new Map(
    (await system.provider.sessions()).map(({ vendorData, deliveries }) => [
      vendorData,
      deliveries.filter(({ state }) => state === 'accepted').map(({ title }) => title),
    ]),
  )
  for (const { verificationId = '', decisions } of ledger.starts) {
    for (const decision of decisions) {
      const isAccepted = accepted.get(verificationId)?.includes(toTitle(decision.outcome))
      if (isAccepted) decision.acknowledgedAt ??= timeline.now()
    }
  }
}

/** How the simulator titles the callback of an outcome. */
function toTitle(outcome: Outcome): string {
  const { status } = outcomeData[outcome]
  return `Decision ${decisionCodes[status]} ${status.replace('_', ' ')}`
}
