import { decide } from '../clients/decide.ts'
import { startOnce } from '../clients/start.ts'
import type { StartEntry } from '../judge/ledger.ts'
import type { Run } from '../run.ts'
import { expectEventually } from './settle.ts'

/** Generous, because other work may load the machine. */
const recoveryMsMax = 20_000

/**
 * After all faults: every process works again without a restart, and an event arrives, at the latest some seconds later.
 * From then on, no request fails. Returns the milliseconds until all of them were ready.
 */
export async function checkRecovery(run: Run): Promise<number> {
  const { system, timeline } = run
  const healedAt = timeline.now()
  const until = (promise: string, check: () => boolean | Promise<boolean>) =>
    expectEventually(run, promise, check, { timeoutMs: recoveryMsMax })
  await Promise.all(
    system.processes.map(one =>
      until(`Process ${one.options.name} works again after the faults`, () => one.isReady()),
    ),
  )
  const recoveredMs = timeline.now() - healedAt
  // Idle connections may be lost without having been noticed; a start uses some of them.
  const started: StartEntry[] = []
  for (const process of system.apis) {
    await until(`Process ${process.options.name} starts verifications after the faults`, async () => {
      const entry = await startOnce(run, process, run.ledger.tenant('with events'))
      if (entry.outcome === 'acknowledged') started.push(entry)
      return entry.outcome === 'acknowledged'
    })
  }
  timeline.recovered()
  const { length: arrivedBefore } = system.receivers.attempts
  for (const entry of started) await decide(run, entry, 'approve-adult', { delivery: 'once' })
  // Any event: these may wait behind others.
  await until('Events arrive after the faults', () => system.receivers.attempts.length > arrivedBefore)
  return recoveredMs
}
