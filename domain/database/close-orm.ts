import type { MikroORM, PostgreSqlConnection } from '@mikro-orm/postgresql'
import type { ConnectionOptions } from '../postgres/index.ts'

/** How long a connection may take to end: a statement may hang on it, or it may still be opened. */
const endMsMax = 1_000

/** Closes the ORM and its pool, which it leaves open if it has sent no statement of its own. */
export async function closeOrm(orm: MikroORM, { openClients }: ConnectionOptions): Promise<void> {
  const late = setTimeout(() => {
    for (const client of openClients) client.destroy(new Error('Connection terminated'))
  }, endMsMax)
  const pool = await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient()
  await orm.close(true)
  if (!pool.ending) await pool.end()
  clearTimeout(late)
}
