import type { EntityManager } from '@mikro-orm/postgresql'
import { DomainError } from '../errors.ts'
import { traced } from '../tracing.ts'
import { isDatabaseError } from './database-error.ts'

/**
 * Runs one unit of work: begins a transaction, flushes and commits when the work is done, rolls back when it fails.
 * It begins with an empty identity map, so the work reads what is stored. Throws what the work throws, and
 * `DATABASE_ERROR` if the database fails in any step.
 */
export async function transaction<Result>(
  scope: { readonly em: EntityManager },
  work: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  try {
    const run = () => scope.em.transactional(work, { clear: true })
    return await traced({ kind: 'transaction', name: 'transaction' }, run)
  } catch (error) {
    if (isDatabaseError(error)) throw new DomainError('DATABASE_ERROR', { cause: error })
    throw error
  }
}
