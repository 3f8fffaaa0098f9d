import { newId } from '#domain/ids.ts'
import type { TenantScope } from '#domain/scope.ts'

export interface SentStatement {
  name: string
  text: string
  values: unknown[]
}

/** The placeholder for the id of a verification that is retained. */
export const verificationPlaceholder = newId(new Date())

/**
 * Captures the first statement that a domain function sends, so that the floor sends exactly the same. The function
 * is called with placeholders as input, which `fill` replaces.
 */
export async function sentStatement(run: (scope: TenantScope) => Promise<unknown>): Promise<SentStatement> {
  const { promise, resolve } = Promise.withResolvers<SentStatement>()
  const pool = {
    query(statement: SentStatement): Promise<{ rows: unknown[] }> {
      resolve(statement)
      return new Promise(() => {})
    },
  }
  const rules = { sessionLifetimeMs: 0, requestDataRetentionMs: 0, verificationRetentionMs: 60_000 }
  const scope: Partial<TenantScope> = {
    pool,
    actor: { kind: 'api_key', tenantId: 'tenantId', apiKeyId: 'apiKeyId', test: false },
    now: new Date(),
    rules: rules as TenantScope['rules'],
    log: { info() {}, warn() {} },
    traceparent: () => null,
    provider: { name: 'veriff' } as TenantScope['provider'],
  }
  // The measured functions use nothing else of a scope.
  const ended = run(scope as TenantScope).then(() => {
    throw new Error('the function sent no statement')
  })
  return await Promise.race([promise, ended])
}

/** Replaces each value that is a placeholder by the value of that name, also in an array of one. */
export function fill(statement: SentStatement, named: Record<string, unknown>): SentStatement {
  const replace = (value: unknown) => (typeof value === 'string' && value in named ? named[value] : value)
  const values = statement.values.map(value => (Array.isArray(value) ? value.map(replace) : replace(value)))
  return { ...statement, values }
}
