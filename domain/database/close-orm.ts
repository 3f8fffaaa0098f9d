import { setTimeout as wait } from 'node:timers/promises'
import type { MikroORM, PostgreSqlConnection } from '@mikro-orm/postgresql'

/** A pool ends when its last connection does; one that is still being opened can keep it for long. */
const endMsMax = 1_000

/** Closes the ORM and its pool, which it leaves open if it has sent no statement of its own. */
export async function closeOrm(orm: MikroORM): Promise<void> {
  const pool = await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient()
  await orm.close(true)
  if (!pool.ending) await Promise.race([pool.end(), wait(endMsMax, undefined, { ref: false })])
}
