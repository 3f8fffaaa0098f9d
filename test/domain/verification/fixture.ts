import { randomUUID } from 'node:crypto'
import { openDatabase } from '#domain/database/open-database.ts'
import type { StatementPool } from '#domain/database/statement.ts'
import { definePlan } from '#domain/plan/define-plan.ts'
import { forTenant, type OperatorScope, type Scope, type TenantScope } from '#domain/scope.ts'
import { ensureSigningKey } from '#domain/signing-key/ensure-signing-key.ts'
import { createKeyRing } from '#domain/signing-key/key-ring.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { setWebhookUrl } from '#domain/tenant/set-webhook-url.ts'
import { createVerifiedTokens } from '#domain/token/verified-tokens.ts'
import { createAddressPolicy } from '#domain/webhook/public-address.policy.ts'
import { createCipher } from '#server/cipher.ts'
import { createScopeFactory } from '#server/scope.ts'
import { createTestDatabase } from '#test/support/database.ts'
import { createTestClock, type TestClock } from '#test/support/test-clock.ts'
import { createScriptedProvider, type ScriptedProvider } from './scripted-provider.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** The domain in one process: its own connections, keys and caches, on a database that others can share. */
export interface Process {
  /** Names of the prepared statements that it sent, in order. */
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
  /** Notifications of workers, in order. */
  notifications: string[]
  url: string
  rows<Row>(text: string, values?: unknown[]): Promise<Row[]>
  /** Another process on the same database. */
  openProcess(): Promise<Process>
  /** A tenant, with a webhook URL if it receives events, and with a dedicated plan if there are limits. */
  addTenant(options?: { receivesEvents?: boolean; limits?: Limits }): Promise<string>
}

export interface Limits {
  monthlyQuota: number
  hardLimit: number
  overage: boolean
}

/** Begins at noon of 20 November 2026 UTC. */
export async function openFixture(): Promise<Fixture> {
  const database = await createTestDatabase()
  const clock = createTestClock(new Date('2026-11-20T12:00:00.000Z'))
  const shared = { clock, provider: createScriptedProvider(), notifications: [] as string[] }
  const first = await openProcess(database.url, shared)
  const others: Process[] = []
  return {
    ...shared,
    ...first,
    url: database.url,
    rows: async <Row>(text: string, values: unknown[] = []) =>
      (await first.pool.query({ name: '', text, values })).rows as Row[],
    async openProcess() {
      const other = await openProcess(database.url, shared)
      others.push(other)
      return other
    },
    addTenant: options => addTenant(first.operator, options),
    async close() {
      for (const one of [...others, first]) await one.close()
      await database.close()
    },
  }
}

type Shared = Pick<Fixture, 'clock' | 'provider' | 'notifications'>

async function openProcess(url: string, shared: Shared): Promise<Process & { pool: StatementPool }> {
  const { clock, provider, notifications } = shared
  const { orm, pool, close } = await openDatabase({ url, poolSize: 10 })
  const sent: string[] = []
  const counting: StatementPool = {
    query(statement) {
      sent.push(statement.name)
      return pool.query(statement)
    },
  }
  const cipher = createCipher(Buffer.alloc(32, 7).toString('base64'))
  await ensureSigningKey(pool, cipher, clock())
  const scopeFor = createScopeFactory(
    {
      ...{ clock, provider, cipher, rules, pool: counting },
      ...{ keyRing: createKeyRing(counting, cipher), verifiedTokens: createVerifiedTokens() },
      keyCache: { invalidateTenant: async () => {}, invalidateAll: async () => {} },
      notifier: { notify: work => void notifications.push(work) },
      log: { info() {}, warn() {} },
    },
    orm.em,
  )
  return {
    ...{ sent, pool, close },
    service: () => scopeFor({ kind: 'service' }),
    operator: () => scopeFor({ kind: 'operator' }),
    tenant: tenantId => scopeFor({ kind: 'api_key', tenantId, apiKeyId: randomUUID() }),
  }
}

async function addTenant(
  operator: () => OperatorScope,
  { receivesEvents = true, limits }: { receivesEvents?: boolean; limits?: Limits } = {},
): Promise<string> {
  const plan = limits && `plan-${randomUUID()}`
  if (plan) await definePlan(operator(), { name: plan, ...limits })
  const { id: tenantId } = await createTenant(operator(), { name: 'Tenant', plan })
  if (receivesEvents)
    await setWebhookUrl(forTenant(operator(), tenantId), { url: 'https://receiver.example.com/' })
  return tenantId
}

const rules = {
  baseUrl: 'https://age.example.com',
  tokenLifetimeMs: 30 * dayMs,
  sessionLifetimeMs: 8 * dayMs,
  requestDataRetentionMs: 30 * dayMs,
  retryDelaysMs: [minuteMs, 10 * minuteMs] as [number, number],
  memberIssuer: 'https://sign-in.example.com',
  addresses: createAddressPolicy(),
}
