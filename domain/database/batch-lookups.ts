import DataLoader from 'dataloader'
import { DomainError } from '../errors.ts'
import { eachPool } from './each-pool.ts'
import type { StatementPool } from './statement.ts'
import { atPositions, type PositionedRow, type StatementForEach } from './value-arrays.ts'

/** Rows per statement. */
const batchSizeMax = 100

/**
 * Makes one look-up of all that are called in two turns of the event loop on the same pool: under load, the responses of
 * Redis to many requests arrive at the same time. Nobody waits for a batch to fill. Nothing is kept: each call reads what
 * is committed when it is made, or later. When the database fails a batch, its look-ups are repeated alone, so that each
 * caller gets its own row, undefined if there is none, or error.
 */
export function batchLookups<Key, Row extends PositionedRow>(find: StatementForEach<Key, Row>) {
  const findLoader = eachPool(pool => {
    return new DataLoader<Key, Row | undefined>(keys => look(pool, keys), {
      cache: false,
      maxBatchSize: batchSizeMax,
      // After the callbacks of all sockets that are ready, and of those that became ready meanwhile.
      batchScheduleFn: callback => setImmediate(setImmediate, callback),
    })
  })
  async function look(pool: StatementPool, keys: readonly Key[]): Promise<(Row | undefined | Error)[]> {
    if (keys.length > 1) {
      try {
        return atPositions(await find(pool, keys), keys.length)
      } catch (error) {
        // Any other error is one of the program.
        if (!(error instanceof DomainError)) throw error
      }
    }
    const lookAlone = (key: Key) =>
      find(pool, [key]).then(
        ([row]) => row,
        (error: Error) => error,
      )
    return await Promise.all(keys.map(lookAlone))
  }
  return (pool: StatementPool, key: Key): Promise<Row | undefined> => findLoader(pool).load(key)
}
