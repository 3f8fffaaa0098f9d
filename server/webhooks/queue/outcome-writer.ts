import { setTimeout as sleep } from 'node:timers/promises'
import type { StatementPool } from '#domain/database/statement.ts'
import { type Outcome, recordOutcomes } from '#domain/webhook/record-outcomes.ts'
import type { Outage } from './outage.ts'

/** Stores outcomes in groups: all that come while one group is being stored are the next. */
export interface OutcomeWriter {
  /** Ends when the outcome is stored, or was fenced off. Tries until then, or until it is closed. */
  write(outcome: Outcome): Promise<void>
  /** Gives up what is not stored: it is left to the lease. */
  close(): void
}

export function createOutcomeWriter(pool: StatementPool, outage: Outage): OutcomeWriter {
  let waiting: { outcome: Outcome; stored: () => void }[] = []
  const closing = new AbortController()
  let isWriting = false

  async function writeGroups(): Promise<void> {
    isWriting = true
    // What ends in the same turn of the event loop belongs to one group.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      await writeGroup(group.map(({ outcome }) => outcome))
      for (const { stored } of group) stored()
    }
    isWriting = false
  }

  async function writeGroup(outcomes: Outcome[]): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await recordOutcomes(pool, outcomes)
        return outage.ended()
      } catch (error) {
        await sleep(outage.failed(error), undefined, { signal: closing.signal }).catch(() => undefined)
      }
    }
  }

  return {
    write(outcome) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ outcome, stored: resolve })
      if (!isWriting) void writeGroups()
      return promise
    },
    close: () => closing.abort(),
  }
}
