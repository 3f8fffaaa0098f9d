import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { type Database, openDatabase } from '#domain/database/open-database.ts'
import { newId } from '#domain/ids.ts'
import type { ClaimPool } from '#domain/webhook/claim-lock.ts'
import { completedEvent } from '#domain/webhook/completed-event.ts'
import { createCipher } from '#server/cipher.ts'
import type { AttemptOutcome, EventAttempt } from '#server/webhooks/http/make-attempt.ts'
import type { WebhookSender } from '#server/webhooks/http/webhook-sender.ts'
import { createDeliveryMetrics } from '#server/webhooks/queue/delivery-metrics.ts'
import {
  createDeliveryWorker,
  type DeliveryWorker,
  type DeliveryWorkerOptions,
} from '#server/webhooks/queue/delivery-worker.ts'
import { createTestDatabase } from '#test/support/database.ts'
import { eventually } from '#test/support/eventually.ts'

export const cipher = createCipher(Buffer.alloc(32, 7).toString('base64'))
export const retryDelaysMs: [number, number] = [60_000, 600_000]

export interface FixtureTenant {
  id: string
  url: string | null
}

export interface DeliveryRow {
  id: string
  tenant_id: string
  state: 'pending' | 'in_flight' | 'delivered' | 'failed'
  attempts: number
  due_at: Date
  lease_until: Date | null
  claim_token: string | null
  finished_at: Date | null
}

export interface Fixture {
  url: string
  database: Database
  pool: ClaimPool
  /** Rows with their times as `Date`. */
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>
  addTenant(options?: { url?: string | null; secrets?: string[] }): Promise<FixtureTenant>
  /** Commits events of a tenant, due and created at a moment; answers with the ids of their deliveries. */
  addEvents(tenantId: string, count?: number, at?: Date): Promise<string[]>
  rows(tenantId: string): Promise<DeliveryRow[]>
  row(id: string): Promise<DeliveryRow | undefined>
  /** Forgets all deliveries. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** A database of its own with what the worker needs to see of the product. */
export async function openFixture(): Promise<Fixture> {
  const created = await createTestDatabase()
  const database = await openDatabase({ url: created.url, poolSize: 8 })
  const pool = database.pool as ClaimPool
  async function query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await pool.query({ name: '', text, values })
    return rows.map(row => withDates(row as Record<string, unknown>)) as Row[]
  }
  await query(`insert into plan (name, rate_limit_per_minute, read_rate_limit_per_minute, monthly_quota, hard_limit,
    overage) values ('fixture', 1, 1, 1, 1, false)`)
  return {
    url: created.url,
    database,
    pool,
    query,
    async addTenant({ url = 'https://receiver.test/hook', secrets = ['whsec_only'] } = {}) {
      const id = randomUUID()
      await query(
        `insert into tenant (id, name, plan_name, subscription, created_at, webhook_url)
         values ($1, 'Fixture', 'fixture', 'active', now(), $2)`,
        [id, url],
      )
      for (const [age, secret] of secrets.entries()) await addSecret(query, id, secret, age)
      return { id, url }
    },
    async addEvents(tenantId, count = 1, at = new Date()) {
      const ids = Array.from({ length: count }, () => newId(at))
      const bodies = ids.map(verificationId =>
        completedEvent({ tenantId, verificationId, status: 'approved', confidence: 0.98 }, at),
      )
      await query(
        `insert into delivery (id, tenant_id, verification_id, body, state, due_at, created_at)
         select id, $1, id, body, 'pending', $4, $4 from unnest($2::uuid[], $3::text[]) as e (id, body)`,
        [tenantId, ids, bodies, at],
      )
      return ids
    },
    rows: tenantId =>
      query<DeliveryRow>('select * from delivery where tenant_id = $1 order by due_at, id', [tenantId]),
    row: async id => (await query<DeliveryRow>('select * from delivery where id = $1', [id]))[0],
    clear: async () => void (await query('delete from delivery')),
    async close() {
      await database.close()
      await created.close()
    },
  }
}

/** `age` 0 is the newest; older ones are in their grace for a day. */
async function addSecret(
  query: Fixture['query'],
  tenantId: string,
  secret: string,
  age: number,
): Promise<void> {
  const id = randomUUID()
  const createdAt = new Date(Date.now() - age * 60_000)
  const validUntil = age === 0 ? null : new Date(Date.now() + 24 * 60 * 60_000)
  await query('insert into webhook_secret values ($1, $2, $3, $4, $5)', [
    id,
    tenantId,
    cipher.seal(secret, `webhook-secret:${id}`),
    createdAt,
    validUntil,
  ])
}

/** MikroORM's pool hands timestamps over as text. */
function withDates(row: Record<string, unknown>): Record<string, unknown> {
  const isTime = (name: string) => name.endsWith('_at') || name.endsWith('_until')
  const asDate = (value: unknown) => (value === null ? null : new Date(value as string))
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, isTime(name) ? asDate(value) : value]),
  )
}

export interface FakeSender extends WebhookSender {
  attempts: EventAttempt[]
  /** Attempts that have not ended. */
  underWay: number
}

export const success: AttemptOutcome = { ok: true, status: 204, durationMs: 1 }
export const refusal: AttemptOutcome = { ok: false, reason: 'status', status: 500, durationMs: 1 }
export const hang: AttemptOutcome = { ok: false, reason: 'timeout', durationMs: 5_000 }

/** Sends nothing; ends every attempt as it is told. */
export function fakeSender(
  answer: (attempt: EventAttempt) => AttemptOutcome | Promise<AttemptOutcome> = () => success,
): FakeSender {
  const sender: FakeSender = {
    attempts: [],
    underWay: 0,
    async send(attempt) {
      sender.attempts.push(attempt)
      sender.underWay += 1
      try {
        return await answer(attempt)
      } finally {
        sender.underWay -= 1
      }
    },
    close: async () => {},
  }
  return sender
}

export interface LogLine {
  level: 'info' | 'warn' | 'error'
  fields: Record<string, unknown>
  message: string
}

export function recordingLog() {
  const lines: LogLine[] = []
  const at = (level: LogLine['level']) => (fields: Record<string, unknown>, message: string) =>
    void lines.push({ level, fields, message })
  return { lines, info: at('info'), warn: at('warn'), error: at('error') }
}

/** Starts workers on the fixture, and closes them after each test. */
export function useWorkers(): (
  fixture: Pick<Fixture, 'pool'>,
  options: Partial<DeliveryWorkerOptions> & { sender: WebhookSender },
) => DeliveryWorker {
  const open: DeliveryWorker[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map(worker => worker.close()))
  })
  return ({ pool }, options) => {
    const clock = options.clock ?? (() => new Date())
    const worker = createDeliveryWorker({
      pool,
      cipher,
      clock,
      log: recordingLog(),
      metrics: createDeliveryMetrics({ registry: new Registry(), pool, clock }),
      retryDelaysMs,
      pollMs: 50,
      ...options,
    })
    worker.start()
    open.push(worker)
    return worker
  }
}

export async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 5_000): Promise<void> {
  await eventually(condition, { timeoutMs })
}
