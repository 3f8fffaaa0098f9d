/**
 * Compares the statements of the hot paths and the console's lists on two databases: one with 50,000 verifications in
 * one partition, one with many in 24. Rounds alternate. `node test/bench/storage-scale.ts [ROWS]`; inserting 50,000,000 rows
 * takes about half an hour and 40 GB.
 */
import { randomUUID } from 'node:crypto'
import { newId } from '#domain/ids.ts'
import type { TenantScope } from '#domain/scope.ts'
import { confirmStart } from '#domain/verification/confirm-start.ts'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { listVerifications, type VerificationsRequest } from '#domain/verification/list-verifications.ts'
import { loadVerification } from '#domain/verification/load-verification.ts'
import { type Transition, writeTransition } from '#domain/verification/write-change.ts'
import { fillVerifications } from './fixture/fill-verifications.ts'
import { type BenchFixture, openBenchFixture } from './fixture/statement-fixture.ts'
import { quantile } from './report/quantile.ts'

const rows = Number(process.argv[2] ?? 50_000_000)
const rounds = 7
const calls = 400
/** From all partitions alike. */
const sampledIds = 20_000
const to = new Date()
const dayMs = 24 * 60 * 60 * 1000

interface Target {
  fixture: BenchFixture
  tenants: string[]
  /** Of stored verifications, spread over the whole time. */
  ids: { id: string; tenantId: string }[]
  /** Started and not completed. */
  started: { verificationId: string; tenantId: string }[]
}

const transition = {
  trigger: {
    by: 'provider',
    result: {
      providerSessionId: '',
      vendorData: '',
      attemptId: 'first',
      outcome: 'approved',
      code: 9001,
      reasonCode: null,
      score: null,
      decidedAt: to,
      over18: true,
    },
  },
  state: {
    status: 'approved',
    attemptId: 'first',
    pastAttemptIds: [],
    decidedAt: to,
    completedAt: to,
    confidence: 1,
    over18: true,
  },
  token: { jti: randomUUID(), signer: 1, signature: Buffer.alloc(64) },
} as const

await using closing = new AsyncDisposableStack()
const targets = {
  '50,000 in one': await prepare(50_000, new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth(), 1))),
  [`${rows.toLocaleString('en')} in 24`]: await prepare(
    rows,
    new Date(Date.UTC(to.getUTCFullYear() - 2, to.getUTCMonth() + 1, 1)),
  ),
}
const list = (request: VerificationsRequest) => (target: Target) =>
  listVerifications(scopeOf(target, target.tenants[0]!), { limit: 50, ...request })
const actions: Record<string, (target: Target) => Promise<unknown>> = {
  start,
  status,
  callback: complete,
  'list: first page': list({}),
  'list: rare status': list({ status: 'resubmission' }),
  'list: open': list({ status: 'pending' }),
  'list: the oldest': target => list({ cursor: target.ids[0]!.id })(target),
}
const table = []
for (const [name, action] of Object.entries(actions)) {
  const measured = new Map<string, { cpu: number[]; ms: number[] }>()
  for (let round = 0; round <= rounds; round++) {
    for (const [label, target] of Object.entries(targets)) {
      const { cpu, ms } = measured.get(label) ?? { cpu: [], ms: [] }
      const result = await measure(target, action)
      // The first round prepares statements and fills caches.
      if (round > 0) measured.set(label, { cpu: [...cpu, result.cpuUs], ms: [...ms, ...result.times] })
    }
  }
  table.push({
    name,
    ...Object.fromEntries(
      [...measured].map(([label, { cpu, ms }]) => [
        label,
        `${Math.round(quantile(cpu, 0.5))} µs, p50 ${quantile(ms, 0.5).toFixed(2)} ms`,
      ]),
    ),
  })
  console.error(table.at(-1))
}
console.table(table)

async function prepare(count: number, from: Date): Promise<Target> {
  const fixture = await openBenchFixture({ durable: false })
  closing.defer(() => fixture.close())
  const tenants = await fixture.addTenants(101)
  const [large, ...small] = tenants as [string, ...string[]]
  await fillVerifications(fixture, { large, small, rows: count, from, to })
  const ids = await fixture.run(
    `select id, tenant_id as "tenantId" from (
       select id, tenant_id from verification tablesample system (${(100 * Math.min(sampledIds, count)) / count})
     ) sampled order by id`,
  )
  return { fixture, tenants, ids: ids as Target['ids'], started: [] }
}

/** CPU time of the server for one call, and the time that each call took. */
async function measure(target: Target, action: (target: Target) => Promise<unknown>) {
  if (action === complete) for (let call = 0; call < calls; call++) target.started.push(await start(target))
  const before = await target.fixture.cpuUs()
  const times: number[] = []
  for (let call = 0; call < calls; call++) {
    const startedAt = performance.now()
    await action(target)
    times.push(performance.now() - startedAt)
  }
  return { cpuUs: ((await target.fixture.cpuUs()) - before) / calls, times }
}

function scopeOf({ fixture }: Target, tenantId: string): TenantScope {
  const rules = { sessionLifetimeMs: 8 * dayMs, verificationRetentionMs: 800 * dayMs }
  // The measured functions use nothing else of a scope.
  return {
    actor: { kind: 'operator', tenantId },
    now: new Date(),
    pool: fixture.pool,
    em: fixture.em,
    rules,
    log: { info() {}, warn() {} },
    traceparent: () => null,
  } as unknown as TenantScope
}

function anyOf<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)]!
}

async function start(target: Target): Promise<{ tenantId: string; verificationId: string }> {
  const tenantId = anyOf(target.tenants)
  const scope = scopeOf(target, tenantId)
  const verificationId = newId(scope.now)
  await target.fixture.run(
    'insert into start_reservation (tenant_id, id, month, created_at) values ($1, $2, now(), now())',
    [tenantId, verificationId],
  )
  const data = { userAgent: 'Bench', ip: '203.0.113.7', response: undefined }
  await confirmStart(scope, { verificationId, providerSessionId: randomUUID(), ...data })
  return { tenantId, verificationId }
}

async function status(target: Target): Promise<void> {
  const { id, tenantId } = anyOf(target.ids)
  await getVerificationStatus(scopeOf(target, tenantId), id)
}

/** What a callback with an approval does in the database. */
async function complete(target: Target): Promise<void> {
  const key = target.started.pop()!
  const scope = scopeOf(target, key.tenantId)
  const verification = (await loadVerification(scope, key))!
  await writeTransition(scope, { ...transition, verification } as unknown as Transition)
}
