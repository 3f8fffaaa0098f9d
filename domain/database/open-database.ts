import { MikroORM, type PostgreSqlConnection } from '@mikro-orm/postgresql'
import type { ClaimPool } from '../webhook/claim-transaction.ts'
import { type DatabaseOptions, ormConfig } from './orm.config.ts'
import { assertSchemaCurrent } from './schema-status.ts'

export interface Database {
  orm: MikroORM
  /** MikroORM's own pool, for the statements of the hot paths. */
  pool: ClaimPool
  /** The number of statements and transactions that wait for a connection. */
  waiting(): number
  close(): Promise<void>
}

/**
 * Connects and checks that all migrations are applied; it applies none itself. Throws a `SchemaError` if the schema
 * is older or newer than the program, and the driver's error if the database is unavailable.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const orm = await MikroORM.init(ormConfig(options))
  try {
    const pool = await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient()
    await assertSchemaCurrent(pool)
    return {
      orm,
      pool: pool as unknown as ClaimPool,
      waiting: () => pool.waitingCount,
      close: () => orm.close(true),
    }
  } catch (error) {
    await orm.close(true)
    throw error
  }
}
