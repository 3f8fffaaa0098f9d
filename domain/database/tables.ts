import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql'
import { toDatabaseError } from './database-error.ts'
import type { entities } from './entities.ts'

/** The tables with their columns, as the entities declare them. */
export type Tables = InferClassEntityDB<(typeof entities)[number]>

/**
 * A query builder over the tables, for statements that are not on a hot path. It is typed from the entities, and runs
 * in the current transaction, if there is one.
 */
export function tables(em: EntityManager) {
  return em.getKysely<Tables>()
}

/** Runs a query and returns its rows. Throws `DATABASE_ERROR`. */
export async function rowsOf<Row>(query: { execute(): Promise<Row[]> }): Promise<Row[]> {
  try {
    return await query.execute()
  } catch (error) {
    throw toDatabaseError(error)
  }
}
