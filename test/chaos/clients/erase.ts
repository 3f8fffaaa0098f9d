import type { Random } from '#test/harness/random.ts'
import type { StartEntry } from '../judge/ledger.ts'
import type { Run } from '../run.ts'
import { callConsole, pause, readStatus, validateToken } from './calls.ts'

/** Erases a verification, again until the service confirms it: an erasure without an answer may have happened. */
export async function erase(run: Run, random: Random, entry: StartEntry): Promise<void> {
  const { tenant, verificationId, erased } = entry
  erased.sentAt = run.timeline.now()
  for (let count = 0; count < 5 && erased.doneAt === undefined; count += 1) {
    const erasure = ['mutation', 'verifications.erase', { verificationId }] as const
    const { exchange, verdict } = await callConsole(run, random.pick(run.system.apis), tenant, ...erasure)
    if (verdict === 'answered' && exchange.status === 200) erased.doneAt = exchange.answeredAt
    else await pause(random, 200, 1_000)
  }
  for (const process of run.system.apisInTurn()) {
    await readStatus(run, process, entry)
    if (entry.completion?.body.token) await validateToken(run, process, entry)
  }
}
