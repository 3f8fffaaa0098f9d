import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { StatementPool } from '#domain/database/statement.ts'
import { WaitingRequests } from '#domain/fairness/waiting-requests.ts'
import { openDatabase } from '#domain/schema/open-database.ts'
import { forTenant, type OperatorScope, type Scope, type TenantScope } from '#domain/scope.ts'
import { ensureSigningKey } from '#domain/signing-key/ensure-signing-key.ts'
import { setWebhookUrl } from '#domain/tenant/change-settings.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { definePlan } from '#domain/tenant/define-plan.ts'
import { waitingMax } from '#server/http/listen.ts'
import { createTestDatabase, patientUrl } from '../../harness/database.ts'
import { createTestScopes, testCipher } from '../../harness/scope.ts'
import { createTestClock, type TestClock } from '../../harness/test-clock.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { createScriptedProvider, type ScriptedProvider } from './scripted-provider.ts'

export { dayMs, hourMs, minuteMs } from '../../harness/scope.ts'

/** The domain in one process: its own connections, keys and caches, on a database that others can share. */
export interface Process {
  /** Names of the prepared statements and texts of MikroORM's queries that it sent, in order. */
  sent: string[]
  service(): Scope
  operator(): OperatorScope
  tenant(tenantId: string): TenantScope
  close(): Promise<void>
}

/** The domain on a dedicated database, with a clock and a provider that the test controls. */
export interface Fixture extends Process {
  clock: TestClock
  provider: ScriptedProvider
  /** Wake-ups of workers, in order. */
  wakeUps: string[]
  /** The requests of all processes that wait for something. */
  waits: WaitingRequests
  url: string
  rows<Row>(text: string, values?: unknown[]): Promise<Row[]>
  /** What the tenant's starts have left: quota used, reservations, verifications, and starts counted by day. */
  countStarts(tenantId: string): Promise<StartCounts>
  /** Another process on the same database. */
  openProcess(): Promise<Process>
  /** A tenant, with a webhook URL if it receives events, with a dedicated plan if there are limits, and live by default. */
  addTenant(options?: TenantOptions): Promise<string>
}

export interface Limits {
  monthlyQuota: number
  hardLimit: number
  overage: boolean
}

interface TenantOptions {
  receivesEvents?: boolean
  limits?: Limits
  test?: boolean
}

interface StartCounts {
  used: number
  reserved: number
  stored: number
  started: number
}

const startCounts = `
  select coalesce((select sum(used) from usage_month where tenant_id = $1), 0)::int as used,
    (select count(*) from start_reservation where tenant_id = $1)::int as reserved,
    (select count(*) from verification where tenant_id = $1)::int as stored,
    coalesce((select sum(started) from usage_day where tenant_id = $1), 0)::int as started`

/** A fixture for a suite or for each of its tests. Its clock begins at noon of 20 November 2026 UTC. */
export const useFixture = (per: 'suite' | 'test' = 'suite'): Fixture => useOpened(openFixture, per)

async function openFixture(): Promise<Fixture> {
  const database = await createTestDatabase()
  const clock = createTestClock(new Date('2026-11-20T12:00:00.000Z'))
  const waits = new WaitingRequests(waitingMax)
  const shared = {
    clock,
    provider: createScriptedProvider(),
    wakeUps: [] as string[],
    waits,
    testTenants: new Set<string>(),
  }
  const first = await openProcess(patientUrl(database.url), shared)
  const others: Process[] = []
  const rows = async <Row>(text: string, values: unknown[] = []) =>
    (await first.pool.query({ name: '', text, values })).rows as Row[]
  return {
    ...shared,
    ...first,
    url: database.url,
    rows,
    countStarts: async tenantId => (await rows<StartCounts>(startCounts, [tenantId]))[0]!,
    async openProcess() {
      const other = await openProcess(patientUrl(database.url), shared)
      others.push(other)
      return other
    },
    async addTenant(options = {}) {
      const tenantId = await addTenant(first.operator, options)
      if (options.test) {
        shared.testTenants.add(tenantId)
        await ensureSigningKey(first.pool, testCipher, clock(), { test: true })
      }
      return tenantId
    },
    async close() {
      for (const one of [...others, first]) await one.close()
      await database.close()
    },
  }
}

type Shared = Pick<Fixture, 'clock' | 'provider' | 'wakeUps' | 'waits'> & {
  testTenants: Set<string>
}

async function openProcess(url: string, shared: Shared): Promise<Process & { pool: StatementPool }> {
  const { clock, provider, wakeUps, waits, testTenants } = shared
  const database = await openDatabase({ url, poolSize: 10, deadlineMs: 60_000 })
  const { pool, close } = database
  const sent: string[] = []
  const counting: StatementPool = {
    query(statement) {
      sent.push(statement.name)
      return pool.query(statement)
    },
  }
  observeQueries(pool as unknown as pg.Pool, text => sent.push(text))
  await ensureSigningKey(pool, testCipher, clock())
  const { scopeFor } = createTestScopes(database, {
    clock,
    provider,
    testProvider: provider,
    pool: counting,
    wakeUps,
    waitingRequests: waits,
  })
  return {
    sent,
    pool,
    close,
    service: () => scopeFor({ kind: 'service' }),
    operator: () => scopeFor({ kind: 'operator' }),
    tenant(tenantId) {
      const test = testTenants.has(tenantId)
      return scopeFor({ kind: 'api_key', tenantId, apiKeyId: randomUUID(), test })
    },
  }
}

/** Reports the queries of MikroORM, which are sent on connections of the pool. */
function observeQueries(pool: pg.Pool, onQuery: (text: string) => void): void {
  const observed = new WeakSet<pg.PoolClient>()
  pool.on('acquire', client => {
    if (observed.has(client)) return
    observed.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const observing = (...args: unknown[]) => {
      // A prepared statement is an object.
      if (typeof args[0] === 'string') onQuery(args[0])
      return query(...args)
    }
    Object.assign(client, { query: observing })
  })
}

async function addTenant(
  operator: () => OperatorScope,
  { receivesEvents = true, limits, test }: TenantOptions,
): Promise<string> {
  const plan = limits && `plan-${randomUUID()}`
  if (plan) {
    const { hardLimit, ...others } = limits
    await definePlan(operator(), { name: plan, ...others })
    await definePlan(operator(), { name: plan, hardLimit })
  }
  const { id: tenantId } = await createTenant(operator(), { name: 'Tenant', plan, test })
  if (receivesEvents)
    await setWebhookUrl(forTenant(operator(), tenantId), { url: 'https://receiver.example.com/' })
  return tenantId
}
