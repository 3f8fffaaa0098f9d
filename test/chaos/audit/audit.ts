import type { Run } from '../run.ts'
import { checkChanges } from './check-changes.ts'
import { checkErasures } from './check-erasures.ts'
import { checkEvents, readSecrets } from './check-events.ts'
import { checkKeys, checkQuotas, checkReplays, checkResults } from './check-results.ts'
import { checkRows, readStoredRows } from './check-rows.ts'
import { settle, untilDelivered, untilNone } from './settle.ts'

const dayMs = 86_400_000
/** Longer than an undecided verification lives. */
const lifetimeMs = 9 * dayMs

/**
 * Compares all that the service has stored and sent with the ledger, after everything is healed; once more after the
 * lifetime of all verifications, if that is to end.
 */
export async function audit(run: Run, { endsLifetimes }: { endsLifetimes: boolean }): Promise<void> {
  await settle(run)
  checkRows(run, await readStoredRows(run.system))
  await checkErasures(run)
  await checkResults(run)
  await checkChanges(run)
  await checkReplays(run)
  await checkKeys(run)
  await checkQuotas(run)
  run.windows.check(run.violations, run.counterLosses)
  await untilDelivered(run)
  const delivered = await readStoredRows(run.system)
  checkRows(run, delivered)
  const secrets = await readSecrets(run)
  if (!endsLifetimes) return checkEvents(run, delivered, secrets)
  await endLifetimes(run)
  const closed = await readStoredRows(run.system)
  await checkResults(run)
  // Deliveries are deleted a day after they were made.
  checkEvents(run, { ...closed, deliveries: [...delivered.deliveries, ...closed.deliveries] }, secrets)
}

/** Completes what is undecided, by the clock of one worker. */
async function endLifetimes(run: Run): Promise<void> {
  const { system } = run
  const worker = system.workers[0]!
  run.lifetimeIsOver = true
  await worker.stop()
  worker.setClock(lifetimeMs)
  await worker.start()
  await untilNone(run, 'Every verification is completed in the end', async () =>
    (await readStoredRows(system)).verifications.filter(({ completed }) => !completed),
  )
  await untilDelivered(run)
}
