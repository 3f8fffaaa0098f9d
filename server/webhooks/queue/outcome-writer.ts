import { setTimeout as sleep } from 'node:timers/promises'
import type { StatementPool } from '#domain/database/statement.ts'
import { type Caller, captureCaller } from '#domain/tracing.ts'
import { type Outcome as DeliveryOutcome, recordOutcomes } from '#domain/webhook/record-outcomes.ts'
import type { DatabaseBackoff } from './database-backoff.ts'

/** Stores outcomes in batches: the first one immediately, and with the next one all that have arrived since. */
export interface OutcomeWriter {
  /**
   * Resolves when the outcome is stored, or rejected by its fencing token. Retries until then, or until `close()`.
   */
  write(outcome: DeliveryOutcome): Promise<void>
  /** Stops retrying. Outcomes that aren't stored are left to the expiry of their leases. */
  close(): void
}

/** The shortest time between two batches: a statement costs as much as thirty outcomes. */
const gatherMs = 4

export function createOutcomeWriter(pool: StatementPool, backoff: DatabaseBackoff): OutcomeWriter {
  let pending: Pending[] = []
  const closing = new AbortController()
  let isWriting = false

  async function writeBatches(): Promise<void> {
    isWriting = true
    // Outcomes of the same turn of the event loop share a batch.
    await new Promise(setImmediate)
    while (pending.length > 0) {
      const batch = pending
      pending = []
      await writeBatch(batch)
      for (const { resolve } of batch) resolve()
      await sleep(gatherMs)
    }
    isWriting = false
  }

  async function writeBatch(batch: readonly Pending[]): Promise<void> {
    const outcomes = batch.map(({ outcome }) => outcome)
    const callers = batch.map(({ caller }) => caller)
    while (!closing.signal.aborted) {
      try {
        await recordOutcomes(pool, outcomes, callers)
        return backoff.succeeded()
      } catch (error) {
        await sleep(backoff.failed(error), undefined, { signal: closing.signal }).catch(() => undefined)
      }
    }
  }

  return {
    write(outcome) {
      const { promise, resolve } = Promise.withResolvers<void>()
      pending.push({ outcome, caller: captureCaller(), resolve })
      if (!isWriting) void writeBatches()
      return promise
    },
    close: () => closing.abort(),
  }
}

interface Pending {
  outcome: DeliveryOutcome
  caller: Caller | undefined
  resolve(): void
}
