import type { EntityManager } from '@mikro-orm/postgresql'
import { DomainError } from '../errors.ts'
import { isDatabaseError } from './database-error.ts'
import type { StatementPool } from './statement.ts'

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
    return await scope.em.transactional(work, { clear: true })
  } catch (error) {
    if (isDatabaseError(error)) throw new DomainError('DATABASE_ERROR', { cause: error })
    throw error
  }
}

/** For statements in the transaction of a unit of work, which see what it has flushed. They are not kept prepared. */
export function inTransaction(em: EntityManager): StatementPool {
  return {
    async query({ name, text, values }) {
      const query = { kind: 'RawNode', sqlFragments: [text], parameters: [] } as const
      return await em
        .getKysely()
        .executeQuery({ sql: text, parameters: values, query, queryId: { queryId: name } })
    },
  }
}
