import { expect } from 'chai'
import pg from 'pg'
import type { StatementPool } from '#domain/database/statement.ts'
import { planSettings } from '#domain/schema/orm.config.ts'
import { type ClaimPool, claimTransaction } from '#domain/webhook/claim-transaction.ts'
import { recordDeliveryOutcomes, recordOutcomes } from '#domain/webhook/record-outcomes.ts'
import { claim, type DeliveryRow, type QueueFixture, useQueueFixture } from './fixture.ts'

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  'Actual Loops': number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

describe('The query plans of a claim', () => {
  const queue = useQueueFixture()
  let pool: pg.Pool
  beforeEach(async () => {
    // One connection, never closed when idle, so that the explained plans are those that the first claim prepared:
    // while the tables are empty, and statistics are never gathered.
    pool = new pg.Pool({ connectionString: queue.url, max: 1, idleTimeoutMillis: 0 })
    pool.on('connect', connection => void connection.on('error', () => {}))
    pool.on('error', () => {})
    await pool.query(planSettings)
    for (const table of ['delivery', 'delivery_queue', 'tenant', 'webhook_secret']) {
      await queue.query(`alter table ${table} set (autovacuum_enabled = off)`)
    }
    await queue.addDelivery(await queue.addTenant(), new Date(0))
    await claim(pool)
    await queue.deleteDeliveries()
  })
  afterEach(() => pool.end())

  it('read a bounded number of rows, however many tenants wait for a retry or have an unresponsive receiver', async () => {
    const others = await queue.addTenants(20)
    for (const id of others) await queue.addDeliveries(id, 3)
    const few = await readsOfClaim(pool, others)
    await addWaitingTenants(queue, 6_000)
    const many = await readsOfClaim(pool, others)
    // Per tenant with new deliveries: its queue and its deliveries several times; then the tenants to be claimed.
    expect(few.rows).to.be.below(1_200)
    // 256 more tenants are considered at most: 128 responsive and 128 unresponsive ones.
    expect(many.rows).to.be.below(few.rows + 256 * 12)
    expect(many.blocks).to.be.below(few.blocks + 256 * 60)
    expect(many.scans).to.deep.equal([])
    expect(few.scans).to.deep.equal([])
  }).timeout(60_000)

  it('read a bounded number of rows while a blocked tenant has 100,000 due deliveries', async () => {
    const blocked = await queue.addTenant()
    const others = await queue.addTenants(20)
    await addBacklog(queue, blocked, 100_000)
    await claim(queue.pool)
    for (const id of others) await queue.addDeliveries(id, 3)
    const { rows, scans } = await readsOfClaim(pool, [blocked, ...others])
    // The backlog is moved from the new to the waiting deliveries in steps of 256.
    expect(rows).to.be.below(1_200 + 3 * 256)
    expect(scans).to.deep.equal([])
    expect((await claim(pool)).claimed).to.have.lengthOf(60)
  }).timeout(60_000)

  it('read only the deliveries whose outcomes are stored, however many are in flight', async () => {
    const tenantId = await queue.addTenant()
    await queue.addDeliveries(tenantId, 2_000)
    await queue.query("update delivery set state = 'in_flight', claim_token = gen_random_uuid()")
    await queue.query('insert into delivery_queue (tenant_id, in_flight) values ($1, 2000)', [tenantId])
    await recordOutcomes(pool, [])
    const [{ verification_id, created_at, claim_token }] = (await queue.deliveries(tenantId)) as [DeliveryRow]
    const key = `array['${tenantId}'::uuid], array['${verification_id}'::uuid]`
    const outcome = `array['${created_at.toISOString()}'::timestamptz], array['${claim_token}'::uuid]`
    const result = "array['delivered'], array[now()], array[false], array[now()], array[null]::text[], 3"
    const { name } = recordDeliveryOutcomes.definition
    const nodes = await explain(pool, `"${name}" (${key}, ${outcome}, ${result})`)
    // The delivery, and the queue twice.
    expect(readsOf(nodes)).to.include({ rows: 3 })
  })
})

/** Adds due deliveries in one statement. */
async function addBacklog(queue: QueueFixture, tenantId: string, count: number): Promise<void> {
  await queue.query(
    `insert into delivery (created_at, tenant_id, verification_id, due_at, status, confidence)
     select now() - interval '1 hour', $1, gen_random_uuid(), now() - interval '1 hour', 'approved', 1
     from generate_series(1, $2::int)`,
    [tenantId, count],
  )
}

/** Adds tenants that each have a waiting delivery: a third of them a due one, a third of them an unresponsive receiver. */
async function addWaitingTenants(queue: QueueFixture, count: number): Promise<void> {
  await queue.query(
    `with added as (
       insert into tenant (id, name, plan_name, subscription, created_at, webhook_url)
       select gen_random_uuid(), 'Waiting', 'fixture', 'active', now(), 'https://receiver.test/hook'
       from generate_series(1, $1::int) returning id
     ), numbered as (
       select id, row_number() over () % 3 as kind from added
     ), queued as (
       insert into delivery_queue (tenant_id, due_at, is_unresponsive)
       select id, now() + (case kind when 0 then '1 hour' else '-1 minute' end)::interval, kind = 2 from numbered
     )
     insert into delivery (created_at, tenant_id, verification_id, due_at, status, confidence, state, attempts)
     select now(), id, gen_random_uuid(), now() + (case kind when 0 then '1 hour' else '-1 minute' end)::interval,
       'approved', 1, 'waiting', 1 from numbered`,
    [count],
  )
}

/** What the connection's prepared statements of a claim read. What they claim is rolled back. */
async function readsOfClaim(pool: ClaimPool, newTenantIds: string[]) {
  const nodes = await claimTransaction(pool, async connection => {
    const query = async (text: string, values: unknown[] = []) =>
      (await connection.query({ name: '', text, values })).rows
    const tenantIds = `array[${newTenantIds.map(id => `'${id}'`).join()}]::uuid[]`
    await query('savepoint before')
    const found = await explain(connection, `"find-deliveries" (gen_random_uuid(), 128, now(), 8, 2, 128)`)
    await query(
      `insert into delivery_queue (tenant_id) select unnest(${tenantIds}) on conflict (tenant_id) do nothing`,
    )
    const lock = `"lock-delivery-queues" (${tenantIds}, 128, now(), 8, 2, 128)`
    const locked = await explain(connection, lock)
    const rows = (await query(`execute ${lock}`)) as { tenantId: string }[]
    const all = `array[${rows.map(({ tenantId }) => `'${tenantId}'`).join()}]::uuid[]`
    const limits = `now(), 128, 8, 128, 2, 128, 256, gen_random_uuid(), now(), '-infinity', 3`
    const claimed = await explain(connection, `"claim-deliveries" (${all}, ${limits})`)
    await query('rollback to before')
    return [...found, ...locked, ...claimed]
  })
  return readsOf(nodes)
}

/** Executes a prepared statement of the connection. */
async function explain(connection: StatementPool, statement: string): Promise<PlanNode[]> {
  const text = `explain (analyze, buffers, format json) execute ${statement}`
  const { rows } = await connection.query({ name: '', text, values: [] })
  const [plan] = rows as [{ 'QUERY PLAN': [{ Plan: PlanNode }] }]
  return flatten(plan['QUERY PLAN'][0].Plan)
}

function readsOf(nodes: PlanNode[]) {
  const tables = nodes.filter(node => 'Relation Name' in node && node['Node Type'] !== 'ModifyTable')
  return {
    rows: tables.reduce(
      (sum, node) =>
        sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    ),
    blocks: tables.reduce((sum, node) => sum + node['Shared Hit Blocks'] + node['Shared Read Blocks'], 0),
    scans: tables.filter(node => node['Node Type'] === 'Seq Scan').map(node => node['Relation Name']),
  }
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)]
}
