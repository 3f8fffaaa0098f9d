import type { TenantScope } from '#domain/scope.ts'

export interface SentStatement {
  name: string
  text: string
  values: unknown[]
}

const actor = { kind: 'api_key', tenantId: 'tenantId', apiKeyId: 'apiKeyId' } as const

/** The first statement that a verb sends, caught on its way, so that the floor sends it word for word. */
export async function sentStatement(verb: (scope: TenantScope) => Promise<unknown>): Promise<SentStatement> {
  const { promise, resolve } = Promise.withResolvers<SentStatement>()
  const pool = {
    query(statement: SentStatement): Promise<never> {
      resolve(statement)
      return new Promise(() => {})
    },
  }
  const scope = { pool, actor, now: new Date(), rules: { sessionLifetimeMs: 0, requestDataRetentionMs: 0 } }
  const ended = verb(scope as unknown as TenantScope).then(() => {
    throw new Error('the verb sent no statement')
  })
  return await Promise.race([promise, ended])
}

/** The statement with a value for each of its values that is a name: a verb is caught with names for its input. */
export function fill(statement: SentStatement, named: Record<string, unknown>): SentStatement {
  const values = statement.values.map(value =>
    typeof value === 'string' && value in named ? named[value] : value,
  )
  return { ...statement, values }
}
