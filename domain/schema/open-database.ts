import { MikroORM, type PostgreSqlConnection } from '@mikro-orm/postgresql'
import type { Pool } from 'pg'
import { closeOrm } from '../database/close-orm.ts'
import {
  connect,
  connectionOptions,
  createProbe,
  observePool,
  type StatementObserver,
} from '../postgres/index.ts'
import { type DatabaseOptions, ormConfig } from './orm.config.ts'
import { assertSchemaFits } from './schema-status.ts'

export interface Database {
  orm: MikroORM
  /** MikroORM's own pool, for the statements of the hot paths. */
  pool: Pool
  /** Resolves if the server answers and accepts writes; rejects for a full disk. Opens one more connection than the pool's. */
  probe(): Promise<void>
  /** By how much this process's clock is ahead of the server's, at the last probe; undefined before the first. */
  clockDifferenceMs(): number | undefined
  close(): Promise<void>
}

export interface OpenOptions extends DatabaseOptions {
  /** How long each statement may remain unanswered; 5 s by default, and 35 s for long ones. */
  deadlineMs?: number
  observer?: StatementObserver
}

/**
 * Connects and checks that all migrations are applied; it applies none itself. Throws a `SchemaError` if the schema
 * is older than the program or too new for it, and the driver's error if the database is unavailable.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const connection = connectionOptions(options.url, options)
  const closing = new AsyncDisposableStack()
  try {
    await (await connect(connection)).close()
    const orm = await MikroORM.init(ormConfig(options, connection))
    closing.defer(() => closeOrm(orm, connection))
    const pool = await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient()
    if (options.observer) observePool(pool, options.observer)
    await assertSchemaFits(pool)
    const { probe, clockDifferenceMs, close: closeProbe } = createProbe(connection)
    closing.defer(closeProbe)
    const close = closing.move()
    return {
      orm,
      pool: pool as unknown as Pool,
      probe,
      clockDifferenceMs,
      close: () => close.disposeAsync(),
    }
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}
