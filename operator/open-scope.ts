import { toDatabaseError } from '#domain/database/database-error.ts'
import { WaitingRequests } from '#domain/fairness/waiting-requests.ts'
import { noMetrics } from '#domain/ports.ts'
import { longDeadlineMs } from '#domain/postgres/index.ts'
import { applyMigrations, pendingMigrations } from '#domain/schema/apply-migrations.ts'
import { type Database, openDatabase } from '#domain/schema/open-database.ts'
import { knownMigrations, SchemaError } from '#domain/schema/schema-status.ts'
import type { DomainLog, OperatorScope } from '#domain/scope.ts'
import { createKeyRing } from '#domain/signing-key/key-ring.ts'
import { createCipher } from '#server/cipher.ts'
import { readConfig } from '#server/configuration/config.ts'
import { configuredProvider } from '#server/configuration/identity-providers.ts'
import { readRules } from '#server/configuration/rules.ts'
import { StartError } from '#server/configuration/start-error.ts'
import { openSessions } from '#server/providers/test-provider/sessions.ts'
import { createTestProvider } from '#server/providers/test-provider/test-provider.ts'
import { createScopeFactory } from '#server/scope.ts'
import { identifyOperator } from './identify-operator.ts'
import { openOperatorProvider } from './open-provider.ts'
import { openStorage, type Storage } from './open-storage.ts'

export interface OpenedScope {
  scope: OperatorScope
  /** Which embedded database it acts on, and why; undefined if on none. */
  embedded: string | undefined
  close(): Promise<void>
}

/**
 * A scope for the operator, on the configured database or the embedded one, whether or not a service is running.
 * Throws a `ConfigError`, a `StartError` or `DATABASE_ERROR`.
 */
export async function openOperatorScope(env: Record<string, string | undefined>): Promise<OpenedScope> {
  const config = readConfig(env)
  const closing = new AsyncDisposableStack()
  try {
    const storage = await openStorage(config)
    closing.defer(() => storage.close())
    const database = await connect(storage)
    closing.defer(() => database.close())
    const { pool } = database
    const { provider, close: closeProvider } = openOperatorProvider(config)
    closing.defer(closeProvider)
    const cipher = createCipher(storage.encryptionKeys)
    const clock = () => new Date()
    const parts = {
      clock,
      pool,
      provider,
      // Test sessions remain when TEST_TENANTS is no longer set.
      testProvider: createTestProvider(openSessions(pool, config.baseUrl, clock)),
      wakeWorker() {},
      waitingRequests: new WaitingRequests(0),
      metrics: noMetrics,
      cipher,
      log,
      // On a database of its own, a command may have none of the provider's settings.
      rules: readRules(config, {
        memberIssuer: storage.memberIssuer,
        hasProvider: configuredProvider(config) !== undefined || storage.embedded === undefined,
      }),
      keyRing: createKeyRing(pool, cipher),
    }
    const actor = { kind: 'operator' as const, ...identifyOperator(config, env) }
    const scope = createScopeFactory(parts, database.orm.em)(actor)
    const close = closing.move()
    return { scope, embedded: storage.embedded, close: () => close.disposeAsync() }
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}

/** The name of the operator's connections in `pg_stat_activity`, unless DATABASE_URL has one. */
export const applicationName = 'age-verification-operator'

/**
 * No migration is applied, with one exception: an embedded database that is still empty gets its tables, so that
 * commands work before the first start. Throws a `StartError` if the schema does not fit this program, and
 * `DATABASE_ERROR` with the driver's error as its cause.
 */
async function connect({ databaseUrl: url, embedded }: Storage): Promise<Database> {
  const options = { url, applicationName, poolSize: 4, deadlineMs: longDeadlineMs }
  try {
    return await openDatabase(options).catch(async error => {
      if (!embedded || !(error instanceof SchemaError) || !(await isEmpty(url))) throw error
      await applyMigrations({ url, applicationName })
      return await openDatabase(options)
    })
  } catch (error) {
    return throwOperatorDatabaseError(error)
  }
}

async function isEmpty(url: string): Promise<boolean> {
  return (await pendingMigrations({ url, applicationName })).length === knownMigrations().length
}

/** Throws a `StartError` if the schema does not fit this program, and else `DATABASE_ERROR`. */
export function throwOperatorDatabaseError(error: unknown): never {
  if (error instanceof SchemaError) throw new StartError(error.message, { cause: error })
  throw toDatabaseError(error)
}

/** Standard output is reserved for the command's output, standard error for one line of error. */
const log: DomainLog = { info() {}, warn() {} }
