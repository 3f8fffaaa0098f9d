import { setTimeout as wait } from 'node:timers/promises'
import { MikroORM, type PostgreSqlConnection } from '@mikro-orm/postgresql'
import { advisoryLocks } from '../database/advisory-locks.ts'
import { closeOrm } from '../database/close-orm.ts'
import { connect, connectionOptions, prepareSession } from '../postgres/index.ts'
import { migrationList, type NamedMigration } from './migration-list.ts'
import { type DatabaseOptions, ormConfig } from './orm.config.ts'
import {
  assertEncoding,
  assertProgramAllowed,
  knownMigrations,
  type Queryable,
  readSchemaStatus,
  SchemaError,
  type SchemaStatus,
} from './schema-status.ts'

export interface MigrationOptions extends Omit<DatabaseOptions, 'poolSize'> {
  /** Called once, before the first wait for another process that is migrating. */
  onWait?: () => void
  /** Called each time that a migration could not lock its tables and will be tried again. */
  onLocked?: (migration: string) => void
  /** Called with the migrations of a newer program, on whose schema this one can run. */
  onNewer?: (migrations: string[]) => void
  /** How often a migration tries to lock its tables. */
  lockAttempts?: number
  /** Instead of the program's own migrations, in order. */
  migrations?: NamedMigration[]
}

/** While a migration waits for the lock on a table, all other statements on the table wait behind it. */
const lockTimeoutMs = 1_000
/** Meanwhile they catch up. */
const lockPauseMs = 2_000
const defaultLockAttempts = 20
const pollIntervalMs = 250

/**
 * Applies pending migrations and returns their names. One process migrates at a time; others wait, without a limit.
 *
 * Each migration is committed separately, in a transaction unless its `isTransactional()` returns false. There is no
 * statement timeout, but a lock timeout of 1 s, so that requests of running services wait no longer. A transaction that
 * fails by it is repeated, for about a minute. A migration that waits without locking anybody out, as `create index
 * concurrently` does, sets it to 0.
 *
 * Throws a `SchemaError` if the program is too old for the schema, the database isn't in UTF8, or a migration fails, and the
 * driver's error if the database is unavailable.
 */
export async function applyMigrations(options: MigrationOptions): Promise<string[]> {
  const { onWait = () => {}, onNewer = () => {}, migrations } = options
  return await withMigrator(options, async (orm, connection) => {
    await lock(connection, onWait)
    try {
      const status = await readSchemaStatus(connection, readNames(migrations))
      assertEncoding(status)
      assertProgramAllowed(status)
      if (status.newer.length > 0) onNewer(status.newer)
      orm.config.set('schema', status.schema)
      for (const name of status.pending) await apply(orm, name, options)
      return status.pending
    } finally {
      await connection.query(`select pg_advisory_unlock(${advisoryLocks.migrations})`).catch(() => undefined)
    }
  })
}

/** The names of the migrations that `applyMigrations` would apply. Only reads; throws as it does. */
export async function pendingMigrations(options: MigrationOptions): Promise<string[]> {
  const status = await inspectSchema(options)
  assertProgramAllowed(status)
  return status.pending
}

/** Only reads, on the connection that migrations would use. Throws as they do, but not for a schema that is too new. */
export async function inspectSchema(options: MigrationOptions): Promise<SchemaStatus> {
  return await withMigrator(options, (_, connection) =>
    readSchemaStatus(connection, readNames(options.migrations)),
  )
}

function readNames(migrations: NamedMigration[] | undefined): string[] {
  return migrations?.map(({ name }) => name) ?? knownMigrations()
}

/** One connection is for the lock, another one for the migrations. */
async function withMigrator<Result>(
  options: MigrationOptions,
  work: (orm: MikroORM, connection: Queryable) => Promise<Result>,
): Promise<Result> {
  const { url, applicationName, migrations = migrationList } = options
  const connection = connectionOptions(url, { applicationName, deadlineMs: Number.POSITIVE_INFINITY })
  const client = await connect(connection)
  await client.close()
  const config = ormConfig({ url, poolSize: 2 }, connection)
  const orm = await MikroORM.init({
    ...config,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    migrations: {
      ...config.migrations,
      allOrNothing: false,
      migrationsList: migrations,
    },
    driverOptions: { ...config.driverOptions, onConnect: setTimeouts },
  })
  try {
    const pool = await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient()
    const locking = await pool.connect()
    try {
      return await work(orm, locking)
    } finally {
      locking.release()
    }
  } finally {
    await closeOrm(orm, connection)
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

async function apply(
  orm: MikroORM,
  name: string,
  { onLocked = () => {}, lockAttempts = defaultLockAttempts }: MigrationOptions,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await orm.migrator.up({ migrations: [name] })
      return
    } catch (error) {
      if (!isLocked(error) || attempt >= lockAttempts) throw migrationError(name, error)
    }
    onLocked(name)
    await wait(lockPauseMs)
  }
}

function isLocked(error: unknown): boolean {
  return (error as { code?: string }).code === lockNotAvailable
}

const lockNotAvailable = '55P03'

function migrationError(name: string, cause: unknown): SchemaError {
  const reason = isLocked(cause)
    ? `it could not lock its tables within ${lockTimeoutMs / 1000} s, because other transactions use them; try again when they have ended`
    : (cause as Error).message.replace(/\s+/g, ' ')
  return new SchemaError(`The migration ${name} failed: ${reason}`, { cause })
}

/** On each connection that migrations run on. */
async function setTimeouts(connection: Queryable): Promise<void> {
  const timeouts = `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = ${lockTimeoutMs}`
  await prepareSession(connection, timeouts)
}
