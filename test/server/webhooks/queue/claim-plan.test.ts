import { expect } from 'chai'
import pg from 'pg'
import { setPlans } from '#domain/schema/orm.config.ts'
import { countTenantDeliveries, findFailedAttempts } from '#domain/webhook/delivery-health.ts'
import { makeDeliveriesDue } from '#domain/webhook/make-deliveries-due.ts'
import { recordOutcomes } from '#domain/webhook/record-outcomes.ts'
import { claim, type QueueFixture, useQueueFixture } from './fixture.ts'

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  'Actual Loops': number
  Plans?: PlanNode[]
}

describe('The query plans of deliveries', () => {
  const queue = useQueueFixture()
  let client: pg.Client
  beforeEach(async () => {
    // The explained plans are those that were prepared while the tables were empty, and statistics are never gathered.
    client = new pg.Client(queue.url)
    await client.connect()
    await client.query(setPlans)
    for (const table of ['delivery', 'tenant', 'webhook_secret']) {
      await queue.query(`alter table ${table} set (autovacuum_enabled = off)`)
    }
    await claim(client)
    await recordOutcomes(client, {})
    await makeDeliveriesDue(client, new Date(0))
    const tenantId = '00000000-0000-0000-0000-000000000000'
    await countTenantDeliveries(client, { tenantId, limit: 1 })
    await findFailedAttempts(client, { tenantId, limit: 1, ownFailures: [] })
  })
  afterEach(() => client.end())

  const claimStatement = `"claim-deliveries" (now(), 128, 8, now(), 3)`

  it('of a claim read a bounded number of rows, however many wait for a retry, are due or in flight', async () => {
    const others = await queue.addTenants(20)
    for (const id of others) await queue.addDeliveries(id, 3)
    // Of each tenant: its entry, the tenant itself and its secrets; of each delivery: where it is, and the delivery.
    expect(await reads(claimStatement)).to.deep.equal({ rows: 20 * 3 + 60 * 2, scans: [] })
    await addDeliveries(queue, { tenants: 6_000, each: 1, state: 'waiting' })
    await addDeliveries(queue, { tenants: 1, each: 100_000, state: 'new' })
    await addDeliveries(queue, { tenants: 1, each: 2_000, state: 'in_flight' })
    expect(await reads(claimStatement)).to.deep.equal({ rows: 21 * 2 + 20 + (60 + 7) * 2, scans: [] })
  }).timeout(60_000)

  it('of a claim read one entry of a tenant and the number in flight while many have their maximum', async () => {
    await addDeliveries(queue, { tenants: 1_000, each: 8, state: 'in_flight' })
    await queue.query(
      `insert into delivery (created_at, tenant_id, verification_id, due_at, status, confidence)
       select distinct on (tenant_id) created_at, tenant_id, gen_random_uuid(), due_at, status, confidence from delivery`,
    )
    const { rows, scans } = await reads(claimStatement)
    expect(scans).to.deep.equal([])
    expect(rows).to.be.below(1_000 * 10)
  }).timeout(60_000)

  it('of outcomes read only their deliveries, however many are in flight', async () => {
    const tenantId = await queue.addTenant()
    await queue.addDeliveries(tenantId, 2_000)
    await queue.query("update delivery set state = 'in_flight'")
    const [row] = await queue.deliveries(tenantId)
    const at = (time: Date) => `array['${time.toISOString()}'::timestamptz]`
    const key = `array['${tenantId}'::uuid], array['${row!.verification_id}'::uuid], ${at(row!.created_at)}`
    const outcome = `${at(row!.due_at)}, array['delivered'], array[now()], array[now()], array[null]::text[]`
    expect(await reads(`"record-outcomes" (${key}, ${outcome})`)).to.deep.equal({ rows: 1, scans: [] })
  })

  it('of the retries read those that are due, however many are not', async () => {
    await addDeliveries(queue, { tenants: 10, each: 1_000, state: 'waiting' })
    await queue.query(`update delivery set due_at = now() - interval '1 hour' where ctid in (
      select ctid from delivery limit 5)`)
    const { rows, scans } = await reads(`"make-deliveries-due" (now(), now(), 5000, 3)`)
    expect({ rows, scans }).to.deep.equal({ rows: 10, scans: [] })
  })

  it('of a tenant’s health read a bounded number of its own, however many there are', async () => {
    for (const state of ['delivered', 'failed', 'waiting']) {
      await addDeliveries(queue, { tenants: 2, each: 3_000, state })
    }
    await queue.query('update delivery set attempted_at = created_at')
    const [failing] = await queue.query<{ id: string }>(
      `select tenant_id as id from delivery where state = 'failed' limit 1`,
    )
    const [other] = await queue.query<{ id: string }>(
      `select tenant_id as id from delivery where state = 'delivered' limit 1`,
    )
    for (const { id } of [failing!, other!]) {
      const counts = await reads(`"count-tenant-deliveries" ('${id}', 10)`)
      expect(counts).to.deep.equal({ rows: 10, scans: [] })
      const failures = await reads(`"find-failed-attempts" ('${id}', 10, '{}')`)
      expect(failures).to.deep.equal({ rows: id === other!.id ? 1 : 10, scans: [] })
    }
  })

  /** What a prepared statement reads of tables. What it writes is rolled back. */
  async function reads(statement: string) {
    await client.query('begin')
    const { rows } = await client.query(`explain (analyze, format json) execute ${statement}`)
    await client.query('rollback')
    const [{ 'QUERY PLAN': plan }] = rows as [{ 'QUERY PLAN': [{ Plan: PlanNode }] }]
    const tables = flatten(plan[0].Plan).filter(
      node => 'Relation Name' in node && node['Node Type'] !== 'ModifyTable',
    )
    const each = tables.map(
      node => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    )
    return {
      rows: Math.round(each.reduce((sum, count) => sum + count, 0)),
      scans: tables.filter(node => node['Node Type'] === 'Seq Scan').map(node => node['Relation Name']),
    }
  }
})

/** Adds deliveries of new tenants, due in an hour. */
async function addDeliveries(
  queue: QueueFixture,
  { tenants, each, state }: { tenants: number; each: number; state: string },
): Promise<void> {
  await queue.query(
    `with added as (
       insert into tenant (id, name, plan_name, subscription, created_at, webhook_url)
       select gen_random_uuid(), 'Added', 'fixture', 'active', now(), 'https://receiver.test/hook'
       from generate_series(1, $1::int) returning id
     )
     insert into delivery (created_at, tenant_id, verification_id, due_at, status, confidence, state)
     select now(), id, gen_random_uuid(), now() + interval '1 hour', 'approved', 1, $3
     from added cross join generate_series(1, $2::int)`,
    [tenants, each, state],
  )
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)]
}
