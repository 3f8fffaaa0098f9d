/**
 * Measures one claim of up to 32 deliveries: with an empty table, with 1,000 tenants that have due deliveries, with
 * 100,000 older due deliveries of a blocked tenant, and with a million finished ones. `node bench/delivery-claim.ts`
 */
import { randomUUID } from 'node:crypto'
import type { Scope } from '#domain/scope.ts'
import { type ClaimLimits, claimDeliveries } from '#domain/webhook/claim-deliveries.ts'
import { deleteOldDeliveries } from '#domain/webhook/delete-old-deliveries.ts'
import { openBenchFixture } from './fixture/statement-fixture.ts'
import { quantile } from './report/quantile.ts'

const rounds = 200
const limits: ClaimLimits = {
  free: 32,
  perTenant: 8,
  wide: 32,
  perUnresponsiveTenant: 2,
  unresponsive: 0,
}

const fixture = await openBenchFixture()
try {
  const [blocked, ...tenants] = await fixture.addTenants(1_001)
  const table = [await measure('no due deliveries', 0)]
  table.push(await measure('20 tenants due', 20))
  table.push(await measure('1,000 tenants due', 1_000))
  await addWaiting(await fixture.addTenants(50_000))
  table.push(await measure('1 tenant due, 50,000 wait for a retry or are unresponsive', 1))
  table.push(await measure('20 tenants due, 50,000 wait or are unresponsive', 20))
  table.push(await measure('1,000 tenants due, 50,000 wait or are unresponsive', 1_000))
  await fixture.run('delete from delivery where attempts = 1 and claim_token is null')
  await block(blocked!)
  table.push(await measure('20 tenants due behind 100,000 of a blocked tenant', 20))
  await fixture.run('analyze')
  table.push(await measure('the same after ANALYZE', 20))
  for (let part = 0; part < 20; part += 1) await addFinished(blocked!, 50_000)
  table.push(await measure('plus 1,000,000 finished, 20 tenants due', 20))
  table.push(await measure('plus 1,000,000 finished, 1,000 tenants due', 1_000))
  table.push(await deleteAll())
  console.table(table)

  async function measure(name: string, dueTenants: number) {
    const times: number[] = []
    let claimed = 0
    for (let round = 0; round < rounds; round += 1) {
      if (dueTenants > 0) await fixture.addDeliveries(tenants.slice(0, dueTenants), 1)
      const startedAt = performance.now()
      const claim = await claimDeliveries(fixture.pool, new Date(), limits, randomUUID())
      times.push(performance.now() - startedAt)
      claimed += claim.claimed.length
      await finish(blocked!)
    }
    return row(name, claimed / rounds, times)
  }
} finally {
  await fixture.close()
}

function row(name: string, claimed: number, times: number[]) {
  const [p50, p99] = [0.5, 0.99].map(share => Number(quantile(times, share).toFixed(2)))
  return { name, claimed: Math.round(claimed), 'p50 ms': p50, 'p99 ms': p99 }
}

/** Adds 100,000 due deliveries of which eight stay in flight, the limit per tenant. */
async function block(tenantId: string): Promise<void> {
  await fixture.addDeliveries([tenantId], 100_000)
  await claimDeliveries(fixture.pool, new Date(), limits, randomUUID())
}

/** Gives each tenant a delivery: most of them wait for a retry, a fifth is due for an unresponsive receiver. */
async function addWaiting(tenantIds: string[]): Promise<void> {
  await fixture.run(
    `with numbered as (
       select tenant_id, n % 5 = 0 as hangs from unnest($1::uuid[]) with ordinality as t (tenant_id, n)
     ), queued as (
       insert into delivery_queue (tenant_id, due_at, is_unresponsive)
       select tenant_id, now() + case when hangs then interval '0' else interval '1 hour' end, hangs from numbered
     )
     insert into delivery (created_at, tenant_id, verification_id, due_at, status, confidence, state, attempts)
     select now(), tenant_id, gen_random_uuid(), now() + case when hangs then interval '0' else interval '1 hour' end,
       'approved', 1, 'waiting', 1 from numbered`,
    [tenantIds],
  )
}

/** Marks all claimed and new deliveries of the other tenants as delivered. */
async function finish(blockedId: string): Promise<void> {
  await fixture.run(
    `with finished as (
       update delivery set state = 'delivered', claim_token = null, lease_until = null
       where tenant_id <> $1 and (state in ('new', 'in_flight') or state = 'waiting' and attempts = 0)
       returning tenant_id
     )
     update delivery_queue set in_flight = 0, due_at = null where tenant_id in (select tenant_id from finished)`,
    [blockedId],
  )
}

async function addFinished(tenantId: string, count: number): Promise<void> {
  await fixture.run(
    `insert into delivery (created_at, tenant_id, verification_id, due_at, status, confidence, state, attempts)
     select now() - interval '25 hours', $1, gen_random_uuid(), now() - interval '25 hours', 'approved', 1,
       'delivered', 1 from generate_series(1, $2::int)`,
    [tenantId, count],
  )
}

/** Runs the clean-up task batch by batch. */
async function deleteAll() {
  const times: number[] = []
  let deleted = 0
  for (;;) {
    const startedAt = performance.now()
    // The task uses nothing else of a scope.
    const log = { info() {}, warn() {} }
    const scope = { em: fixture.em.fork(), now: new Date(), log } as unknown as Scope
    const batch = await deleteOldDeliveries(scope)
    if (batch === 0) return row(`delete ${deleted}, per batch`, deleted / times.length, times)
    times.push(performance.now() - startedAt)
    deleted += batch
  }
}
