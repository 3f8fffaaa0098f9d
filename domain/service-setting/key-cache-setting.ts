import { text, timestamp } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'

/** Where the API processes cache what keys may do: `redis`, or `none` if they look up each key in PostgreSQL. */
export type KeyCacheSetting = 'redis' | 'none'

/** Records which key cache this process uses. The last API process that started decides. */
export async function recordKeyCache(pool: StatementPool, value: KeyCacheSetting, now: Date): Promise<void> {
  await setServiceSetting(pool, { name: 'key_cache', value, now })
}

/** The key cache of the running services; undefined if none has ever started. */
export async function recordedKeyCache(pool: StatementPool): Promise<KeyCacheSetting | undefined> {
  const [setting] = await findServiceSetting(pool, { name: 'key_cache' })
  return setting?.value as KeyCacheSetting | undefined
}

/** The Redis in which the running services cache keys. */
export interface RecordedRedis {
  /** What the services have written into it. */
  id: string
  /** Where they reach it, for messages: without user and password, cut off if it is long. */
  address: string
}

const settingLengthMax = 100

/** Records which Redis this process uses. The last API process that started decides. */
export async function recordRedis(
  pool: StatementPool,
  { id, address }: RecordedRedis,
  now: Date,
): Promise<void> {
  await setServiceSetting(pool, { name: 'redis', value: `${id} ${address}`.slice(0, settingLengthMax), now })
}

/** The Redis of the running services; undefined if they cache no keys, or have recorded none. */
export async function recordedRedis(pool: StatementPool): Promise<RecordedRedis | undefined> {
  if ((await recordedKeyCache(pool)) !== 'redis') return undefined
  const [setting] = await findServiceSetting(pool, { name: 'redis' })
  if (!setting) return undefined
  const [id = '', address = ''] = setting.value.split(/ (.*)/)
  return { id, address }
}

export const setServiceSetting = statement({
  name: 'set-service-setting',
  text: `insert into service_setting as s (name, value, updated_at) values (:name, :value, :now)
   on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at
   where s.value <> excluded.value`,
  values: { name: text, value: text, now: timestamp },
  row: {},
})

export const findServiceSetting = statement({
  name: 'find-service-setting',
  text: 'select value from service_setting where name = :name',
  values: { name: text },
  row: { value: text },
})
