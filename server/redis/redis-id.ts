import { randomUUID } from 'node:crypto'
import type { StatementPool } from '#domain/database/statement.ts'
import type { Clock } from '#domain/ports.ts'
import { type RecordedRedis, recordRedis } from '#domain/service-setting/key-cache-setting.ts'
import { type RedisSettings, redisAddress, redisVariable } from '../configuration/redis-settings.ts'
import { StartError } from '../configuration/start-error.ts'
import { idKey } from './key-names.ts'
import { type Redis, withRedis } from './open-redis.ts'

const writeEveryMs = 5_000

/**
 * Writes an id into Redis unless it has one, and records that in PostgreSQL, so that the operator's command line knows which
 * Redis the services use. It's written again every 5 s, because Redis can be emptied. Returns how to stop that.
 */
export async function keepRedisId(
  redis: Redis,
  settings: RedisSettings,
  pool: StatementPool,
  clock: Clock,
): Promise<() => void> {
  const address = redisAddress(settings)
  let id: string = randomUUID()
  let recordedId: string | undefined
  async function write(): Promise<void> {
    id = (await redis.commands.set(idKey, id, { condition: 'NX', GET: true })) ?? id
    if (id === recordedId) return
    await recordRedis(pool, { id, address }, clock())
    recordedId = id
  }
  // What fails is repeated. That Redis or PostgreSQL is unavailable is reported elsewhere.
  const tryToWrite = () => write().catch(() => undefined)
  await tryToWrite()
  const timer = setInterval(tryToWrite, writeEveryMs).unref()
  return () => clearInterval(timer)
}

/**
 * Throws a `StartError` if the services use another Redis: what is changed would not be announced to them. Throws
 * `REDIS_ERROR`.
 */
export async function assertSameRedis(
  services: RecordedRedis,
  { commands }: Redis,
  settings: RedisSettings,
): Promise<void> {
  const id = await withRedis(() => commands.get(idKey))
  if (id === services.id) return
  const own = `${redisVariable(settings)} is ${redisAddress(settings)}`
  throw new StartError(
    id === null
      ? `${own}, without the id that the services on this database write into their Redis (${services.address}): ` +
          `set theirs or, if it was emptied, repeat this 5 seconds later with a service running. Nothing was changed`
      : `${own}, but the services on this database use another Redis (${services.address}): set theirs. Nothing was changed`,
  )
}
