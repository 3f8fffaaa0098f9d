import type { MikroORM, PostgreSqlConnection } from '@mikro-orm/postgresql'

/** Closes the ORM and its pool, which it leaves open if it has sent no statement of its own. */
export async function closeOrm(orm: MikroORM): Promise<void> {
  const pool = await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient()
  await orm.close(true)
  if (!pool.ending) await pool.end()
}
