import { setTimeout as wait } from 'node:timers/promises'
import { decide } from '../clients/decide.ts'
import { startOnce } from '../clients/start.ts'
import type { Run } from '../run.ts'

/** Generous, because other work may load the machine. */
const recoveryMsMax = 20_000

/**
 * After all faults: every process works again without a restart, and an event arrives, at the latest some seconds later.
 * From then on, no request fails. Returns the milliseconds until all of them were ready.
 */
export async function checkRecovery(run: Run): Promise<number> {
  const { system, timeline } = run
  const healedAt = timeline.now()
  const until = untilBefore(run, healedAt + recoveryMsMax)
  await Promise.all(
    system.processes.map(one =>
      until(`Process ${one.options.name} works again after the faults`, () => one.isReady()),
    ),
  )
  const recoveredMs = timeline.now() - healedAt
  // Idle connections may be lost without having been noticed; a start uses some of them.
  for (const process of system.apis) {
    await until(`Process ${process.options.name} starts verifications after the faults`, async () => {
      const tenant = run.ledger.tenant('without events')
      return (await startOnce(run, process, tenant)).outcome === 'acknowledged'
    })
  }
  timeline.recovered()
  const entry = await startOnce(run, system.apis[0]!, run.ledger.tenant('with events'))
  await decide(run, entry, 'approve-adult', { delivery: 'once' })
  await until('An event arrives after the faults', () =>
    system.receivers.attempts.some(({ body }) => body.includes(entry.verificationId!)),
  )
  return recoveredMs
}

/** Returns a function that repeats a check until it succeeds; at the deadline, the promise is broken. */
function untilBefore({ timeline, violations }: Run, deadline: number) {
  return async (promise: string, check: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await check())) {
      if (timeline.now() > deadline) return violations.add(promise, { deadline })
      await wait(50)
    }
  }
}
