import { inWaves } from '../../harness/in-waves.ts'
import { readStatus, useKey, validateToken } from '../clients/calls.ts'
import { attempt, startOnce } from '../clients/start.ts'
import type { StartEntry } from '../judge/ledger.ts'
import type { Run } from '../run.ts'

/** Enough idempotency keys to replay at the end of a long run. */
const replaysMax = 200

/** Reads every acknowledged verification once more, and validates every token on every process. */
export async function checkResults(run: Run): Promise<void> {
  const { apis } = run.system
  const entries = run.ledger.starts.filter(({ outcome }) => outcome === 'acknowledged')
  await inWaves(entries.length, async index => {
    const entry = entries[index]!
    await readStatus(run, apis[index % apis.length]!, entry)
    if (!entry.completion?.body.token) return
    for (const process of apis) await validateToken(run, process, entry)
  })
}

/** Replays starts with their idempotency keys: the first answer, byte for byte. */
export async function checkReplays(run: Run): Promise<void> {
  const { apis } = run.system
  const entries = run.ledger.starts.filter(
    ({ outcome, idempotencyKey, erased }) =>
      outcome === 'acknowledged' && idempotencyKey && erased.sentAt === undefined,
  )
  const replayed = entries.slice(-replaysMax)
  await inWaves(replayed.length, index => attempt(run, apis[index % apis.length]!, replayed[index]!))
}

/** Uses every key on every process once more. */
export async function checkKeys(run: Run): Promise<void> {
  for (const tenant of run.ledger.tenants) {
    for (const key of [tenant.apiKey, ...tenant.furtherKeys]) {
      for (const process of run.system.apis) await useKey(run, process, tenant, key)
    }
  }
}

/** Uses the rest of every quota: all starts up to the limit succeed, and none beyond. */
export async function checkQuotas(run: Run): Promise<void> {
  for (const tenant of run.ledger.tenants) {
    const { startsMax } = tenant
    if (startsMax === undefined) continue
    const { length: before } = tenant.starts
    let last: StartEntry
    // Until the quota rejects one: others may fail on a busy machine.
    do last = await startOnce(run, run.system.apis[0]!, tenant)
    while (last.mayUseQuota && tenant.starts.length < 10 * startsMax)
    const started = tenant.starts.filter(one => one.mayUseQuota && one.outcome !== 'rejected').length
    const unknown = tenant.starts.slice(before).filter(({ outcome }) => outcome === 'unknown').length
    if (started < startsMax || started - unknown > startsMax) {
      run.violations.add('Exactly as many starts succeed as the quota allows', {
        started,
        unknown,
        startsMax,
      })
    }
  }
}
