/** What the programs share that measure statements: a PostgreSQL of their own, durable as in production, with tenants. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import { openDatabase } from '#domain/database/open-database.ts'
import type { ClaimPool } from '#domain/event/claim-turn.ts'
import { createCipher } from '#server/cipher.ts'
import { startPostgres } from '#server/embedded/postgres.ts'

export interface BenchStage {
  pool: ClaimPool
  em: EntityManager
  cipher: ReturnType<typeof createCipher>
  run(text: string, values?: unknown[]): Promise<unknown[]>
  /** The SQL that the work sends through MikroORM, with its values in it. */
  statementOf(work: () => Promise<unknown>): Promise<string>
  /** Tenants with a URL and a secret. */
  addTenants(count: number): Promise<string[]>
  /** Due deliveries of each of the tenants. */
  addDeliveries(tenantIds: readonly string[], each: number): Promise<void>
  close(): Promise<void>
}

export async function openBenchStage(): Promise<BenchStage> {
  const closing = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'age-verification-bench-'))
  closing.defer(() => rm(folder, { recursive: true, force: true }))
  const postgres = await startPostgres({ folder, port: 0, databaseName: 'bench' })
  closing.defer(() => postgres.close())
  const database = await openDatabase({ url: postgres.url, poolSize: 10 })
  closing.defer(() => database.close())
  const pool = database.pool as ClaimPool
  const cipher = createCipher(randomBytes(32).toString('base64'))
  const run = async (text: string, values: unknown[] = []) =>
    (await pool.query({ name: '', text, values })).rows
  await run(`insert into plan (name, rate_limit_per_minute, read_rate_limit_per_minute, monthly_quota, hard_limit,
    overage) values ('bench', 1, 1, 1, 1, false)`)
  return {
    ...{ pool, cipher, run, em: database.orm.em },
    statementOf: work => sentBy(database.orm, work),
    async addTenants(count) {
      const ids = Array.from({ length: count }, () => crypto.randomUUID())
      await run(
        `insert into tenant (id, name, plan_name, subscription, created_at, webhook_url)
         select id, 'Bench', 'bench', 'active', now(), 'https://receiver.test/hook' from unnest($1::uuid[]) as n (id)`,
        [ids],
      )
      await run(
        `insert into webhook_secret (id, tenant_id, sealed, created_at)
         select id, id, sealed, now() from unnest($1::uuid[], $2::bytea[]) as n (id, sealed)`,
        [ids, ids.map(id => cipher.seal('whsec_bench', `webhook-secret:${id}`))],
      )
      return ids
    },
    async addDeliveries(tenantIds, each) {
      await run(
        `insert into delivery (id, tenant_id, verification_id, body, state, due_at, created_at)
         select id, tenant_id, id, repeat('x', 250), 'pending', now(), now()
         from (select gen_random_uuid() as id, tenant_id from unnest($1::uuid[]) as t (tenant_id),
           generate_series(1, $2::int)) new`,
        [tenantIds, each],
      )
    },
    close: () => closing.disposeAsync(),
  }
}

async function sentBy(orm: MikroORM, work: () => Promise<unknown>): Promise<string> {
  const sent: string[] = []
  const logger = orm.config.getLogger()
  logger.setDebugMode(['query', 'query-params'])
  const logQuery = logger.logQuery.bind(logger)
  logger.logQuery = ({ query = '', params = [] }) => {
    sent.push(orm.em.getPlatform().formatQuery(query, params))
  }
  try {
    await work()
  } finally {
    logger.logQuery = logQuery
    logger.setDebugMode(false)
  }
  return sent[0]!
}
