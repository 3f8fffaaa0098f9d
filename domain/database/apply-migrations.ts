import { setTimeout as wait } from 'node:timers/promises'
import { MikroORM, type PostgreSqlConnection } from '@mikro-orm/postgresql'
import { CompiledQuery, type DatabaseConnection } from 'kysely'
import { advisoryLocks } from './advisory-locks.ts'
import { assertPoolerUsable } from './connection-pooler.ts'
import { migrationList, type NamedMigration } from './migration-list.ts'
import { type DatabaseOptions, ormConfig } from './orm.config.ts'
import { knownMigrations, type Queryable, readSchemaStatus, SchemaError } from './schema-status.ts'

export interface MigrationOptions extends Omit<DatabaseOptions, 'poolSize'> {
  /** Called once, before the first wait for another process that is migrating. */
  onWait?: () => void
  /** Instead of the program's own migrations, in order. */
  migrations?: NamedMigration[]
}

/** A migration that can't lock its tables fails after this time, instead of blocking all other statements on them. */
const lockTimeoutMs = 5_000
const pollIntervalMs = 250

/**
 * Applies pending migrations and returns their names. One process migrates at a time; others wait, without a limit.
 *
 * Each migration is committed separately, in a transaction unless its `isTransactional()` returns false. There is no
 * statement timeout, but a lock timeout of 5 s. A migration that waits without locking anybody out, as `create index
 * concurrently` does, sets it to 0.
 *
 * Throws a `SchemaError` if the schema is newer than the program or if a migration fails, a `PoolerError` if a
 * connection pooler is in the way, and the driver's error if the database is unavailable.
 */
export async function applyMigrations(options: MigrationOptions): Promise<string[]> {
  const { onWait = () => {}, migrations } = options
  return await withMigrator(options, async (orm, connection) => {
    await lock(connection, onWait)
    try {
      const { schema, pending } = await readSchemaStatus(connection, namesOf(migrations))
      if (pending.length === 0) return []
      orm.config.set('schema', schema)
      return await run(orm)
    } finally {
      await connection.query(`select pg_advisory_unlock(${advisoryLocks.migrations})`).catch(() => undefined)
    }
  })
}

/** The names of the migrations that `applyMigrations` would apply. Only reads; throws as it does. */
export async function pendingMigrations(options: MigrationOptions): Promise<string[]> {
  return await withMigrator(options, async (_, connection) => {
    const { pending } = await readSchemaStatus(connection, namesOf(options.migrations))
    return pending
  })
}

function namesOf(migrations: NamedMigration[] | undefined): string[] {
  return migrations?.map(({ name }) => name) ?? knownMigrations()
}

/** One connection is for the lock, another one for the migrations. */
async function withMigrator<Result>(
  options: MigrationOptions,
  work: (orm: MikroORM, connection: Queryable) => Promise<Result>,
): Promise<Result> {
  const { url, applicationName, migrations = migrationList } = options
  const config = ormConfig({ url, ...(applicationName ? { applicationName } : {}), poolSize: 2 })
  const orm = await MikroORM.init({
    ...config,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    migrations: {
      ...config.migrations,
      allOrNothing: false,
      migrationsList: migrations,
    },
    onCreateConnection: setTimeouts,
  })
  try {
    const pool = await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient()
    await assertPoolerUsable(pool, { needsSession: true })
    const connection = await pool.connect()
    try {
      return await work(orm, connection)
    } finally {
      connection.release()
    }
  } finally {
    await orm.close(true)
  }
}

/**
 * Polls: a session that waits in `pg_advisory_lock` has a snapshot, for whose end `create index concurrently` in the
 * session that has the lock would wait forever.
 */
async function lock(connection: Queryable, onWait: () => void): Promise<void> {
  for (let attempt = 0; !(await tryLock(connection)); attempt++) {
    if (attempt === 0) onWait()
    await wait(pollIntervalMs)
  }
}

async function tryLock(connection: Queryable): Promise<boolean> {
  const { rows } = await connection.query(
    `select pg_try_advisory_lock(${advisoryLocks.migrations}) as locked`,
  )
  return (rows[0] as { locked: boolean }).locked
}

async function run(orm: MikroORM): Promise<string[]> {
  let current = ''
  orm.migrator.on('migrating', ({ name }) => {
    current = name
  })
  try {
    return (await orm.migrator.up()).map(({ name }) => name)
  } catch (error) {
    if (current === '') throw error
    throw new SchemaError(
      `The migration ${current} failed: ${reasonOf(error as Error & { code?: string })}`,
      {
        cause: error,
      },
    )
  }
}

const lockNotAvailable = '55P03'

function reasonOf({ code, message }: Error & { code?: string }): string {
  if (code !== lockNotAvailable) return message.replace(/\s+/g, ' ')
  return `it could not lock its tables within ${lockTimeoutMs / 1000} s, because other transactions use them; try again when they have ended`
}

/** On each connection that migrations run on. */
async function setTimeouts(connection: unknown): Promise<void> {
  const timeouts = `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = ${lockTimeoutMs}`
  await (connection as DatabaseConnection).executeQuery(CompiledQuery.raw(timeouts))
}
