/**
 * Measures how verifications are closed that became due in the same minute: the time of a batch and the rate for each tenth
 * of the backlog, how many each of several workers gets, and how long callbacks and statuses of the same process take before
 * and meanwhile. `node test/bench/closings.ts [ROWS]`
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TenantScope } from '#domain/scope.ts'
import { ensureSigningKey } from '#domain/signing-key/ensure-signing-key.ts'
import { closeVerifications } from '#domain/verification/close-verifications.ts'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { approval } from './fixture/approval.ts'
import { createBenchScopes } from './fixture/domain-scopes.ts'
import { openBenchFixture } from './fixture/statement-fixture.ts'
import { quantile } from './report/quantile.ts'

const rows = Number(process.argv[2] ?? 1_000_000)
const workers = 4
const tenantCount = 100
/** Open verifications with days to live, whose results arrive meanwhile. */
const others = 100_000
const requestEveryMs = 20
const idleMs = 10_000

const fixture = await openBenchFixture({ durable: false, poolSize: 20 })
try {
  const { pool, cipher, run } = fixture
  const clock = () => new Date()
  const scopeFor = createBenchScopes(fixture, clock)
  await ensureSigningKey(pool, cipher, clock())
  const tenants = await fixture.addTenants(tenantCount)
  await fill('due', rows, "now() - random() * interval '1 minute'")
  await fill('open', others, "now() + interval '7 days'")
  await run('analyze')
  const open = (await run(
    `select id, tenant_id as "tenantId", provider_session_id as "sessionId" from verification
     where starts_with(provider_session_id, 'open')`,
  )) as { id: string; tenantId: string; sessionId: string }[]

  const before = measureRequests()
  await sleep(idleMs)
  await before.stop()

  const meanwhile = measureRequests()
  const startedAt = performance.now()
  const closed = Array.from({ length: workers }, () => 0)
  const tenths = Array.from({ length: 10 }, () => ({ batches: [] as number[], endsAt: 0 }))
  let done = 0
  await Promise.all(
    closed.map(async (_, worker) => {
      for (;;) {
        const batchAt = performance.now()
        const count = await closeVerifications(scopeFor({ kind: 'service' }))
        if (count === 0) return
        const tenth = tenths[Math.min(9, Math.floor((10 * done) / rows))]!
        tenth.batches.push(performance.now() - batchAt)
        tenth.endsAt = performance.now()
        closed[worker]! += count
        done += count
      }
    }),
  )
  await meanwhile.stop()
  let from = startedAt
  console.table(
    tenths.map(({ batches, endsAt }, index) => {
      const perSecond = Math.round((rows / 10 / (endsAt - from)) * 1000)
      from = endsAt
      return { 'tenth of the backlog': index + 1, 'closed/s': perSecond, ...spread(batches) }
    }),
  )
  console.table({
    'a callback before': spread(before.callbacks),
    'a callback meanwhile': spread(meanwhile.callbacks),
    'a status before': spread(before.statuses),
    'a status meanwhile': spread(meanwhile.statuses),
  })
  const [counted] = await run(
    'select count(completed_at)::int as completed, (select sum(rejected)::int from usage_day) as counted from verification',
  )
  console.log(
    `Closed by each of ${workers} workers: ${closed.join(', ')}. In the database: ${JSON.stringify(counted)}`,
  )

  /** Verifications of all tenants, whose sessions are named by the prefix and a number. */
  async function fill(prefix: string, count: number, closesAt: string): Promise<void> {
    await run(
      `with started as (
         insert into verification (id, tenant_id, status, provider_session_id)
         select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - n % 60000), 12, '0') || '7'
           || substr(md5($3::text || n), 1, 3) || '8' || substr(md5($3::text || n), 4, 15))::uuid,
           ($1::uuid[])[1 + n % ${tenantCount}], 'pending', $3::text || n
         from generate_series(1, $2::int) n returning id, tenant_id
       )
       insert into open_verification (verification_id, tenant_id, status, closes_at)
       select id, tenant_id, 'pending', ${closesAt} from started`,
      [tenants, count, prefix],
    )
  }

  /** Records approvals of open verifications and reads their statuses, one after the other, until it is stopped. */
  function measureRequests() {
    const callbacks: number[] = []
    const statuses: number[] = []
    let isStopped = false
    const work = (async () => {
      while (!isStopped) {
        const { id, tenantId, sessionId } = open.pop()!
        const service = scopeFor({ kind: 'service' })
        callbacks.push(await timed(() => recordProviderResult(service, approval(id, sessionId))))
        const reader = scopeFor({ kind: 'api_key', tenantId, apiKeyId: tenantId }) as TenantScope
        statuses.push(await timed(() => getVerificationStatus(reader, id)))
        await sleep(requestEveryMs)
      }
    })()
    return {
      callbacks,
      statuses,
      async stop() {
        isStopped = true
        await work
      },
    }
  }
} finally {
  await fixture.close()
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function spread(ms: number[]) {
  const [p50, p99] = [0.5, 0.99].map(share => Number(quantile(ms, share).toFixed(2)))
  return { count: ms.length, 'p50 ms': p50, 'p99 ms': p99 }
}
