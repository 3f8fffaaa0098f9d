/**
 * Measures what a verification takes on disk, all tables and indexes included: on the first day, and for good. The flows
 * are those of the service's own functions; only the provider and the receivers of webhook events are replaced. 76 %
 * are approved, 14 % denied, and 10 % end with their lifetime. `node test/bench/storage-size.ts [FLOWS]`
 */
import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import type { ProviderOutcome } from '#domain/provider-result.ts'
import type { Scope, TenantScope } from '#domain/scope.ts'
import { ensureSigningKey } from '#domain/signing-key/ensure-signing-key.ts'
import { closeVerifications } from '#domain/verification/close-verifications.ts'
import { deleteIdempotencyKeys } from '#domain/verification/delete-idempotency-keys.ts'
import { purgeRequestData } from '#domain/verification/purge-request-data.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { startVerification } from '#domain/verification/start-verification.ts'
import { deleteOldDeliveries } from '#domain/webhook/delete-old-deliveries.ts'
import { createDeliveryMetrics } from '#server/webhooks/queue/delivery-metrics.ts'
import { createDeliveryWorker } from '#server/webhooks/queue/delivery-worker.ts'
import { createBenchScopes } from './fixture/domain-scopes.ts'
import { openBenchFixture } from './fixture/statement-fixture.ts'

const flows = Number(process.argv[2] ?? 1_000_000)
const tenantCount = 100
const concurrency = 16
/** The results of a flow, by the number of flows that an average user is overtaken by: minutes at 50 starts per second. */
const reports: Report[] = [
  { outcome: 'started', code: 7001, after: 1_000 },
  { outcome: 'submitted', code: 7002, after: 5_000 },
  { outcome: 'approved', code: 9001, after: 10_000 },
]
/** The slowest users take three times as long as the fastest, so that results arrive in another order than the starts. */
const pace = { from: 0.5, to: 1.5 }
const dayMs = 24 * 60 * 60 * 1000

interface Report {
  outcome: ProviderOutcome
  code: number
  after: number
}

interface Flow {
  index: number
  providerSessionId: string
  verificationId: string
  attemptId: string
}

let now = Date.UTC(2026, 10, 2)
const clock = () => new Date(now)
const fixture = await openBenchFixture({ durable: false })
try {
  const { pool, cipher, run } = fixture
  const tenants = await fixture.addTenants(tenantCount)
  await run('update plan set monthly_quota = 2000000000, hard_limit = 2000000000')
  // The flows pass some twenty times as fast as their clock says; autovacuum is to come as often between them.
  await run("alter system set autovacuum_naptime = '3s'")
  await run('select pg_reload_conf()')
  await ensureSigningKey(pool, cipher, clock())
  const scopeFor = createBenchScopes(fixture, clock)
  const empty = await sizes()
  const deliveries = createDeliveries()
  deliveries.start()
  await simulate()
  while ((await pending()) > 0) {
    deliveries.wake()
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  await deliveries.close()
  await run('vacuum analyze')
  const firstDay = await sizes()
  now += 8 * dayMs
  await drain(closeVerifications)
  for (const clean of [deleteIdempotencyKeys, deleteOldDeliveries]) await drain(clean)
  now += 40 * dayMs
  for (const clean of [deleteIdempotencyKeys, deleteOldDeliveries, purgeRequestData]) await drain(clean)
  await compactWorkingTables()
  const forGood = await sizes()
  report({ 'first day': firstDay, 'for good': forGood }, empty)

  function createDeliveries() {
    const metrics = createDeliveryMetrics({ registry: new Registry(), pool, clock })
    const log = { info() {}, warn() {}, error() {} }
    const sender = {
      send: async () => ({ ok: true, status: 204, durationMs: 1 }) as const,
      close: async () => {},
    }
    return createDeliveryWorker({
      pool,
      cipher,
      clock,
      log,
      sender,
      metrics,
      retryDelaysMs: [60_000, 600_000],
    })
  }

  /** Starts the flows in order, and reports the results of earlier ones between them. */
  async function simulate(): Promise<void> {
    const due = new Map<number, (() => Promise<void>)[]>()
    const last = flows + reports.at(-1)!.after * pace.to
    for (let from = 0; from < last; from += concurrency) {
      now += (concurrency * 1000) / 50
      const batch: Promise<void>[] = []
      for (let index = from; index < from + concurrency; index++) {
        if (index < flows) batch.push(startFlow(index, due))
        for (const report of due.get(index) ?? []) batch.push(report())
        due.delete(index)
      }
      await Promise.all(batch)
      if (from % 1_600 === 0) deliveries.wake()
      if (from % 16_000 === 0) console.error(`${from} of ${last}`)
    }
  }

  async function startFlow(index: number, due: Map<number, (() => Promise<void>)[]>): Promise<void> {
    const flow = await start(index)
    const factor = pace.from + Math.random() * (pace.to - pace.from)
    for (const report of reports) {
      const at = index + Math.round(report.after * factor)
      const others = due.get(at)
      if (others) others.push(() => record(flow, report))
      else due.set(at, [() => record(flow, report)])
    }
  }

  async function record({ index, ...flow }: Flow, { outcome, code }: Report): Promise<void> {
    const isDecision = outcome === 'approved'
    if (isDecision && index % 100 >= 90) return
    const denied = isDecision && index % 100 >= 76
    await recordProviderResult(scopeFor({ kind: 'service' }), {
      providerSessionId: flow.providerSessionId,
      vendorData: flow.verificationId,
      attemptId: flow.attemptId,
      outcome: denied ? 'declined' : outcome,
      code: denied ? 9102 : code,
      reasonCode: denied ? '106' : null,
      score: isDecision ? 0.987 : null,
      decidedAt: isDecision ? clock() : null,
      over18: true,
    })
  }

  async function start(index: number): Promise<Flow> {
    const tenantId = tenants[index % tenantCount]!
    const scope = scopeFor({ kind: 'api_key', tenantId, apiKeyId: tenantId }) as TenantScope
    const { verificationId, sessionUrl } = await startVerification(scope, {
      userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1',
      ip: `203.0.113.${index % 256}`,
      idempotencyKey: randomUUID(),
    })
    const providerSessionId = sessionUrl.slice(sessionUrl.lastIndexOf('/') + 1)
    return { index, providerSessionId, verificationId, attemptId: randomUUID() }
  }

  async function drain(task: (scope: Scope) => Promise<number>): Promise<void> {
    while ((await task(scopeFor({ kind: 'service' }))) > 0);
  }

  async function pending(): Promise<number> {
    const [row] = await run(
      "select count(*)::int as count from delivery where state not in ('delivered', 'failed')",
    )
    return (row as { count: number }).count
  }

  /** Without this, the tables whose rows are deleted keep the size of their busiest day, however many follow. */
  async function compactWorkingTables(): Promise<void> {
    const tables = await run(
      "select relname as name from pg_class where relkind = 'r' and not relispartition and relnamespace = 'public'::regnamespace",
    )
    for (const { name } of tables as { name: string }[]) await run(`vacuum full ${name}`)
    await run('vacuum analyze')
  }

  /** Bytes per table and per index, partitions added up. */
  async function sizes(): Promise<Map<string, number>> {
    const rows = await run(
      `select regexp_replace(c.relname, '_(default|\\d{4}_\\d{2})', '') as name, sum(pg_relation_size(c.oid) +
         coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0) + pg_relation_size(c.oid, 'fsm') +
         pg_relation_size(c.oid, 'vm'))::float8 as bytes
       from pg_class c where c.relkind in ('r', 'i') and c.relnamespace = 'public'::regnamespace group by 1 order by 2 desc`,
    )
    return new Map((rows as { name: string; bytes: number }[]).map(({ name, bytes }) => [name, bytes]))
  }
} finally {
  await fixture.close()
}

/** Bytes per flow. */
function report(measured: Record<string, Map<string, number>>, empty: Map<string, number>): void {
  const phases = Object.keys(measured)
  const names = [...measured['first day']!.keys()]
  const perFlow = (phase: string, name: string) =>
    ((measured[phase]!.get(name) ?? 0) - (empty.get(name) ?? 0)) / flows
  const row = (label: string, values: number[]) =>
    `| ${label} | ${values.map(value => Math.round(value).toLocaleString('en')).join(' | ')} |`
  console.log(`| bytes per verification | ${phases.join(' | ')} |\n|---|${phases.map(() => '--:|').join('')}`)
  for (const name of names) {
    const values = phases.map(phase => perFlow(phase, name))
    if (values.some(value => value >= 0.5)) console.log(row(`\`${name}\``, values))
  }
  const totals = phases.map(phase => names.reduce((sum, name) => sum + perFlow(phase, name), 0))
  console.log(row('all', totals))
}
