import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import type { StatementPool } from '#domain/database/statement.ts'
import { newId } from '#domain/ids.ts'
import { type Database, openDatabase } from '#domain/schema/open-database.ts'
import { type ClaimedDelivery, claimDeliveries } from '#domain/webhook/claim-deliveries.ts'
import { completedEvent } from '#domain/webhook/completed-event.ts'
import { createCipher } from '#server/cipher.ts'
import { createLog } from '#server/logging/log.ts'
import type { WebhookSender } from '#server/webhooks/http/webhook-sender.ts'
import {
  type DeliveryWorker,
  type DeliveryWorkerOptions,
  runDeliveryWorker,
} from '#server/webhooks/queue/delivery-worker.ts'
import { createTestDatabase, patientUrl, type TestDatabase } from '#test/harness/database.ts'
import { eventually } from '#test/harness/eventually.ts'
import { createTestClock } from '#test/harness/test-clock.ts'
import { inWaves } from '../../../harness/in-waves.ts'
import { createFakeSender } from './fake-sender.ts'

/**
 * A database with a plan for the suite, in which every test starts without deliveries. Workers that a test has
 * started are closed after it.
 */
export function useQueueFixture(): QueueFixture {
  const fixture = new QueueFixture()
  before(() => fixture.open())
  beforeEach(() => fixture.deleteDeliveries())
  afterEach(() => fixture.closeWorkers())
  after(() => fixture.close())
  return fixture
}

export const cipher = createCipher([Buffer.alloc(32, 7).toString('base64')])
export const retryDelaysMs: [number, number] = [60_000, 600_000]

interface DeliveryRow {
  verification_id: string
  tenant_id: string
  created_at: Date
  state: 'new' | 'waiting' | 'in_flight' | 'delivered' | 'failed'
  attempts: number
  due_at: Date
  attempted_at: Date | null
  failure: string | null
}

interface TenantOptions {
  url?: string | null | undefined
  secrets?: string[] | undefined
}

/** Deliveries are identified by their verification. */
class QueueFixture {
  #testDatabase!: TestDatabase
  #database!: Database
  readonly #workers: DeliveryWorker[] = []

  async open(): Promise<void> {
    this.#testDatabase = await createTestDatabase()
    this.#database = await openDatabase({ url: patientUrl(this.url), poolSize: 8, deadlineMs: 60_000 })
    await this.query(`insert into plan (name, rate_limit_per_minute, read_rate_limit_per_minute, monthly_quota,
      hard_limit, overage) values ('fixture', 1, 1, 1, 1, false)`)
  }

  get url(): string {
    return this.#testDatabase.url
  }

  get pool(): StatementPool {
    return this.#database.pool
  }

  async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await this.pool.query({ name: '', text, values })
    return rows as Row[]
  }

  /** Adds an active tenant, with `secrets` the newest first, and returns its id. */
  async addTenant({
    url = 'https://receiver.test/hook',
    secrets = ['whsec_only'],
  }: TenantOptions = {}): Promise<string> {
    const id = randomUUID()
    await this.query(
      `insert into tenant (id, name, plan_name, subscription, created_at, webhook_url)
       values ($1, 'Fixture', 'fixture', 'active', now(), $2)`,
      [id, url],
    )
    for (const [age, secret] of secrets.entries()) await this.#addSecret(id, secret, age)
    return id
  }

  async addTenants(count: number): Promise<string[]> {
    return await inWaves(count, () => this.addTenant())
  }

  /** Adds deliveries that are created and due at a time, and returns their verifications' ids. */
  async addDeliveries(tenantId: string, count: number, at = new Date()): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newId(at))
    await this.query(
      `insert into delivery (created_at, tenant_id, verification_id, due_at, status, confidence)
       select $3, $1, id, $3, 'approved', 0.98 from unnest($2::uuid[]) as n (id)`,
      [tenantId, ids, at],
    )
    return ids
  }

  async addDelivery(tenantId: string, at?: Date): Promise<string> {
    const [id] = await this.addDeliveries(tenantId, 1, at)
    return id!
  }

  deliveries(tenantId: string): Promise<DeliveryRow[]> {
    return this.query('select * from delivery where tenant_id = $1 order by due_at, verification_id', [
      tenantId,
    ])
  }

  async delivery(verificationId: string): Promise<DeliveryRow> {
    const text = 'select * from delivery where verification_id = $1'
    const [row] = await this.query<DeliveryRow>(text, [verificationId])
    if (!row) throw new Error(`No delivery for verification ${verificationId}`)
    return row
  }

  /** Starts a worker that polls every 50 ms and is closed after the test. Its time stands still: no claim is too old. */
  startWorker(options: Partial<DeliveryWorkerOptions> & { sender: WebhookSender }): DeliveryWorker {
    const { pool } = this
    const worker = runDeliveryWorker({
      pool,
      cipher,
      clock: createTestClock(),
      log: createLog('silent'),
      registry: new Registry(),
      retryDelaysMs,
      pollMs: 50,
      ...options,
    })
    this.#workers.push(worker)
    return worker
  }

  /** One due delivery of a new tenant, and a clock that the test sets. */
  async addDue(tenant?: TenantOptions) {
    const tenantId = await this.addTenant(tenant)
    const clock = createTestClock()
    return { tenantId, clock, id: await this.addDelivery(tenantId, clock()) }
  }

  /** Starts a worker with one due delivery, whose time the test sets. */
  async startDelivery(
    respond?: Parameters<typeof createFakeSender>[0],
    { url, secrets, ...options }: TenantOptions & Partial<DeliveryWorkerOptions> = {},
  ) {
    const { tenantId, clock, id } = await this.addDue({ url, secrets })
    const sender = createFakeSender(respond)
    this.startWorker({ sender, clock, ...options })
    return { tenantId, clock, id, sender }
  }

  /** Waits until the delivery has the state. */
  async untilState(verificationId: string, state: DeliveryRow['state']): Promise<void> {
    await eventually(async () => (await this.delivery(verificationId)).state === state)
  }

  /** Waits until the outcome of the delivery's n-th attempt is stored. */
  async untilAttempted(verificationId: string, attempts: number): Promise<DeliveryRow> {
    return await eventually(() => this.delivery(verificationId), {
      until: row => row.attempts === attempts && row.state !== 'in_flight',
    })
  }

  async deleteDeliveries(): Promise<void> {
    await this.query('delete from delivery')
  }

  async closeWorkers(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map(worker => worker.close()))
  }

  async close(): Promise<void> {
    await this.#database.close()
    await this.#testDatabase.close()
  }

  /** `age` 0 is the newest; older ones are in their grace period, for a day. */
  async #addSecret(tenantId: string, secret: string, age: number): Promise<void> {
    const id = randomUUID()
    const createdAt = new Date(Date.now() - age * 60_000)
    const expiresAt = age === 0 ? null : new Date(Date.now() + 24 * 60 * 60_000)
    await this.query(
      `insert into webhook_secret (tenant_id, id, encrypted_secret, created_at, expires_at) values ($1, $2, $3, $4, $5)`,
      [tenantId, id, cipher.seal(secret, `webhook-secret:${id}`), createdAt, expiresAt],
    )
  }
}

/** The body of the event that a delivery of the fixture sends. */
export function eventBody(tenantId: string, verificationId: string, at: Date): string {
  return completedEvent(
    { tenantId, verificationId, status: 'approved', confidence: 0.98, provider: 'veriff' },
    at,
  )
}

/** Claims with the limits of an idle worker. */
export function claim(pool: StatementPool, now = new Date()): Promise<ClaimedDelivery[]> {
  return claimDeliveries(pool, now, { limit: 128, perTenant: 8 })
}
