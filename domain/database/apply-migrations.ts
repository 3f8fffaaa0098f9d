import type { MikroORM, PostgreSqlConnection } from '@mikro-orm/postgresql'
import { advisoryLocks } from './advisory-locks.ts'

/** Applies pending migrations, one process at a time: the migrator itself takes no lock. */
export async function applyMigrations(orm: MikroORM): Promise<void> {
  const pool = await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient()
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.migrations])
    await orm.migrator.up()
  } finally {
    await client.query('select pg_advisory_unlock($1)', [advisoryLocks.migrations]).catch(() => undefined)
    client.release()
  }
}
