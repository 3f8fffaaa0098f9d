/**
 * Measures the claims of verifications that are to be closed while many became due in the same minute: the time of a claim
 * for each tenth of the backlog, how many rows each of several workers gets, and how long a status takes meanwhile.
 * `node bench/closing-claim.ts [ROWS]`
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TenantScope } from '#domain/scope.ts'
import { claimDueClosings } from '#domain/verification/close-verifications.ts'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { openBenchFixture } from './fixture/statement-fixture.ts'
import { quantile } from './report/quantile.ts'

const rows = Number(process.argv[2] ?? 1_000_000)
const workers = 4
const dayMs = 24 * 60 * 60 * 1000

const fixture = await openBenchFixture({ durable: false })
try {
  const [tenantId] = (await fixture.addTenants(1)) as [string]
  await fill(tenantId)
  const claimed = Array.from({ length: workers }, () => 0)
  const times: number[][] = Array.from({ length: 10 }, () => [])
  let done = 0
  const work = claimed.map(async (_, worker) => {
    for (;;) {
      const startedAt = performance.now()
      const now = new Date()
      const leaseUntil = new Date(now.getTime() + 30_000)
      const due = await claimDueClosings(fixture.pool, { now, leaseUntil, limit: 20 })
      if (due.length === 0) return
      times[Math.min(9, Math.floor((10 * done) / rows))]!.push(performance.now() - startedAt)
      claimed[worker]! += due.length
      done += due.length
      // Their completions delete them.
      await fixture.run('delete from open_verification where verification_id = any ($1::uuid[])', [
        due.map(({ verificationId }) => verificationId),
      ])
    }
  })
  const reads = readMeanwhile(tenantId, () => done < rows)
  await Promise.all(work)
  console.table(times.map((ms, tenth) => ({ 'tenth of the backlog': tenth + 1, ...spread(ms) })))
  console.table({ 'a status meanwhile': spread(await reads) })
  console.log(`Claimed by each of ${workers} workers: ${claimed.join(', ')}`)
} finally {
  await fixture.close()
}

async function fill(tenantId: string): Promise<void> {
  await fixture.run(
    `with started as (
       insert into verification (id, tenant_id, status, provider_session_id)
       select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - n % 60000), 12, '0') || '7'
         || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid, $1, 'pending', n::text
       from generate_series(1, $2::int) n returning id
     )
     insert into open_verification (verification_id, tenant_id, status, closes_at)
     select id, $1, 'pending', now() - random() * interval '1 minute' from started`,
    [tenantId, rows],
  )
  await fixture.run('analyze')
}

async function readMeanwhile(tenantId: string, isBusy: () => boolean): Promise<number[]> {
  const [one] = (await fixture.run('select id from verification limit 1')) as { id: string }[]
  const rules = { verificationRetentionMs: 400 * dayMs }
  const times: number[] = []
  while (isBusy()) {
    const startedAt = performance.now()
    // The function uses nothing else of a scope.
    const log = { info() {}, warn() {} }
    const scope = { actor: { kind: 'operator', tenantId }, now: new Date(), pool: fixture.pool, rules, log }
    await getVerificationStatus(scope as unknown as TenantScope, one!.id)
    times.push(performance.now() - startedAt)
    await sleep(20)
  }
  return times
}

function spread(ms: number[]) {
  const [p50, p99] = [0.5, 0.99].map(share => Number(quantile(ms, share).toFixed(2)))
  return { count: ms.length, 'p50 ms': p50, 'p99 ms': p99 }
}
