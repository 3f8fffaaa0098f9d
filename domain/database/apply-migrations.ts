import type { MikroORM, PostgreSqlConnection } from '@mikro-orm/postgresql'

/** Names the lock among all advisory locks of the database; any constant does. */
const migrationLock = 7_201_918

/** Applies pending migrations, one process at a time: the migrator itself takes no lock. */
export async function applyMigrations(orm: MikroORM): Promise<void> {
  const pool = await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient()
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await orm.migrator.up()
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => undefined)
    client.release()
  }
}
