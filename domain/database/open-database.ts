import { MikroORM, type PostgreSqlConnection } from '@mikro-orm/postgresql'
import type { ClaimPool } from '../webhook/claim-lock.ts'
import { applyMigrations } from './apply-migrations.ts'
import { type DatabaseOptions, ormConfig } from './orm.config.ts'

export interface Database {
  orm: MikroORM
  /** MikroORM's own pool, for the statements of the hot paths. */
  pool: ClaimPool
  close(): Promise<void>
}

/** Connects and applies pending migrations. Throws the driver's error if the database is unavailable. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const orm = await MikroORM.init(ormConfig(options))
  try {
    await applyMigrations(orm)
    const pool = await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient()
    return { orm, pool: pool as unknown as ClaimPool, close: () => orm.close(true) }
  } catch (error) {
    await orm.close(true)
    throw error
  }
}
