import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql'
import { isTraced, traced } from '../tracing.ts'
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
export async function rowsOf<Row>(query: TableQuery<Row>): Promise<Row[]> {
  try {
    if (!isTraced()) return await query.execute()
    return await traced({ kind: 'statement', name: operationOf(query) }, () => query.execute())
  } catch (error) {
    throw toDatabaseError(error)
  }
}

/** A query of the builder, without its types. */
export interface TableQuery<Row> {
  execute(): Promise<Row[]>
  toOperationNode(): { kind: string }
}

/** `select`, `insert`, `update` or `delete`. */
function operationOf(query: TableQuery<unknown>): string {
  return query.toOperationNode().kind.replace('QueryNode', '').toLowerCase()
}
