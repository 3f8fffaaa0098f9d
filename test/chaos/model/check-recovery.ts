import { setTimeout as wait } from 'node:timers/promises'
import { startOnce } from '../clients/start.ts'
import type { Run } from '../run.ts'
import type { ServiceProcess } from '../service/service-process.ts'

/** Generous, because other work may load the machine. */
const recoveryMsMax = 20_000

/**
 * After all faults: every process works again without a restart, at the latest some seconds later. From then on, no
 * request fails. Returns the milliseconds until all of them were ready.
 */
export async function checkRecovery(run: Run): Promise<number> {
  const { system, timeline } = run
  const healedAt = timeline.now()
  await Promise.all(system.processes.map(process => untilReady(run, process, healedAt + recoveryMsMax)))
  const recoveredMs = timeline.now() - healedAt
  for (const process of system.apis) await untilStarted(run, process, healedAt + recoveryMsMax)
  timeline.recovered()
  return recoveredMs
}

async function untilReady(
  { timeline, violations }: Run,
  process: ServiceProcess,
  deadline: number,
): Promise<void> {
  while (!(await process.isReady())) {
    if (timeline.now() > deadline) {
      violations.add('Every process works again after the faults', { process: process.options.name })
      return
    }
    await wait(50)
  }
}

/** Idle connections may be lost without having been noticed; a start uses some of them. */
async function untilStarted(run: Run, process: ServiceProcess, deadline: number): Promise<void> {
  while ((await startOnce(run, process, run.ledger.tenant('without events'))).outcome !== 'acknowledged') {
    if (run.timeline.now() > deadline) {
      run.violations.add('Every process starts verifications after the faults', {
        process: process.options.name,
      })
      return
    }
    await wait(100)
  }
}
