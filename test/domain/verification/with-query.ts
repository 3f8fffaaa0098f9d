import type { StatementPool } from '#domain/database/statement.ts'
import type { Scope } from '#domain/scope.ts'

/** The scope, with another way to send its prepared statements. */
export function withQuery<S extends Scope>(scope: S, query: StatementPool['query']): S {
  return { ...scope, em: scope.em, pool: { query } }
}

/** A scope in which something happens once a statement was committed, and before its response arrives. */
export function afterStatement<S extends Scope>(scope: S, name: string, then: () => Promise<unknown>): S {
  return withQuery(scope, async statement => {
    const response = await scope.pool.query(statement)
    if (statement.name === name) await then()
    return response
  })
}

/** A scope whose connection is lost after the statement was committed, and before its response arrives. */
export function losing<S extends Scope>(scope: S, name: string): S {
  return afterStatement(scope, name, () => Promise.reject(new Error('connection lost')))
}
