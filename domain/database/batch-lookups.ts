import DataLoader from 'dataloader'
import { DomainError } from '../errors.ts'
import { type Caller, captureCaller, onBehalfOf } from '../tracing.ts'
import { eachPool } from './each-pool.ts'
import type { StatementPool } from './statement.ts'

/** Rows per statement. */
const batchSizeMax = 100

export interface Lookups<Key, Found> {
  /** Looks one row up: for a call that is alone in its turn. */
  one(pool: StatementPool, key: Key): Promise<Found>
  /** Looks several rows up with one statement. Returns them in the order of the keys, which is that of the callers. */
  many(pool: StatementPool, keys: readonly Key[], callers: readonly (Caller | undefined)[]): Promise<Found[]>
}

interface Lookup<Key> {
  key: Key
  caller: Caller | undefined
}

/**
 * Makes one look-up of all that are called in the same turn of the event loop on the same pool: under load, the responses of
 * Redis to many requests arrive at the same time. Nobody waits for a batch to fill. Nothing is kept: each call reads what
 * is committed when it is made, or later. When the database fails a batch, its look-ups are repeated alone, so that each
 * caller gets its own result or error.
 */
export function batchLookups<Key, Found>({ one, many }: Lookups<Key, Found>) {
  const findLoader = eachPool(pool => {
    return new DataLoader<Lookup<Key>, Found>(lookups => look(pool, lookups), {
      cache: false,
      maxBatchSize: batchSizeMax,
      // After the callbacks of all sockets that are ready.
      batchScheduleFn: setImmediate,
    })
  })
  async function look(pool: StatementPool, lookups: readonly Lookup<Key>[]): Promise<(Found | Error)[]> {
    if (lookups.length > 1) {
      try {
        const keys = lookups.map(({ key }) => key)
        const callers = lookups.map(({ caller }) => caller)
        return await many(pool, keys, callers)
      } catch (error) {
        // Any other error is one of the program.
        if (!(error instanceof DomainError)) throw error
      }
    }
    const lookAlone = ({ key, caller }: Lookup<Key>) =>
      onBehalfOf(caller, () => one(pool, key)).catch((error: Error) => error)
    return await Promise.all(lookups.map(lookAlone))
  }
  return (pool: StatementPool, key: Key): Promise<Found> =>
    findLoader(pool).load({ key, caller: captureCaller() })
}
