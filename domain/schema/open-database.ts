import { MikroORM, type PostgreSqlConnection } from '@mikro-orm/postgresql'
import type { Pool } from 'pg'
import { closeOrm } from '../database/close-orm.ts'
import {
  assertWritable,
  connect,
  connectionOptions,
  createWriteProbe,
  observePool,
  type StatementObserver,
  watchConnections,
} from '../postgres/index.ts'
import { answerMsMax, type DatabaseOptions, ormConfig } from './orm.config.ts'
import { assertSchemaFits } from './schema-status.ts'

export interface Database {
  orm: MikroORM
  /** MikroORM's own pool, for the statements of the hot paths. */
  pool: Pool
  /**
   * Resolves if the server answers and accepts writes; rejects for a full disk. With a heartbeat, it is asked on
   * connections besides the pool, and not behind statements that wait for it.
   */
  probe(): Promise<void>
  /** By how much this process's clock is ahead of the server's; undefined without a heartbeat. */
  clockDifferenceMs(): number | undefined
  close(): Promise<void>
}

export interface OpenOptions extends DatabaseOptions {
  /** Whether lost servers are detected by a heartbeat, for processes that run for long. It is one more connection. */
  hasHeartbeat?: boolean
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
    const client = await connect(connection)
    closing.defer(() => client.close())
    const orm = await MikroORM.init(ormConfig(options, connection))
    closing.defer(() => closeOrm(orm, connection))
    const pool = await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient()
    if (options.observer) observePool(pool, options.observer)
    await assertSchemaFits(pool)
    const watch = options.hasHeartbeat
      ? watchConnections(connection, { client, answerMsMax: answerMsMax(connection) })
      : undefined
    const writes = createWriteProbe(connection)
    closing.defer(() => writes.close())
    if (watch) closing.defer(() => watch.close())
    else await client.close()
    const close = closing.move()
    return {
      orm,
      pool: pool as unknown as Pool,
      async probe() {
        await (watch ? watch.probe() : assertWritable(pool))
        await writes.probe()
      },
      clockDifferenceMs: () => watch?.clockDifferenceMs(),
      close: () => close.disposeAsync(),
    }
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}
