import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import pg from 'pg'
import { claimDeliveries } from '#domain/webhook/claim-deliveries.ts'
import { type ClaimPool, withClaimLock } from '#domain/webhook/claim-lock.ts'
import { type Fixture, openFixture } from './fixture.ts'

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  'Actual Loops': number
  Plans?: PlanNode[]
}

describe('the claim’s plan', () => {
  let fixture: Fixture
  let pool: pg.Pool
  before(async () => {
    fixture = await openFixture()
    // One connection, so that the plan that is explained is the one that was kept.
    pool = new pg.Pool({ connectionString: fixture.url, max: 1, idleTimeoutMillis: 0 })
    pool.on('connect', connection => void connection.on('error', () => {}))
    pool.on('error', () => {})
  })
  after(async () => {
    await pool.end()
    await fixture.close()
  })

  it('reads a few rows over the indexes, also after 100,000 of a blocked tenant have come', async () => {
    const blocked = await fixture.addTenant()
    const others = await Promise.all(Array.from({ length: 20 }, () => fixture.addTenant()))
    // The plan is made while the table is empty, and no statistics are ever gathered.
    await fixture.query('alter table delivery set (autovacuum_enabled = off)')
    await claim(pool)
    await fill(fixture, blocked.id, 100_000)
    for (const { id } of others) await fixture.addEvents(id, 3)
    await fixture.query(
      `update delivery set state = 'in_flight', lease_until = now() + interval '8 s' where tenant_id = $1 and
       verification_id in (select verification_id from delivery where tenant_id = $1 limit 8)`,
      [blocked.id],
    )
    // 22 hops from tenant to tenant, the others' 60 rows three times, the 8 in flight; never the 100,000.
    const nodes = await explainClaim(pool)
    expect(rowsRead(nodes)).to.be.below(500)
    expect(nodes.filter(node => node['Node Type'] === 'Seq Scan')).to.deep.equal([])
    expect(nodes.map(node => node['Index Name'])).to.include('delivery_pending')
    expect(nodes.map(node => node['Index Name'])).to.include('delivery_in_flight')
    expect(await claim(pool)).to.equal(60)
  })
})

/** Claims, with the statement as the worker prepares it; answers how many. */
async function claim(pool: ClaimPool): Promise<number> {
  const limits = { free: 128, perTenant: 8, wide: 128, hungTenants: [], perHungTenant: 2, hung: 128 }
  return (await claimDeliveries(pool, new Date(), limits, randomUUID())).claimed.length
}

/** Due rows in one statement. */
async function fill(fixture: Fixture, tenantId: string, count: number): Promise<void> {
  await fixture.query(
    `insert into delivery (tenant_id, verification_id, type, body, state, due_at, created_at)
     select $1, id, 'verification.completed', '{}', 'pending', now() - interval '1 hour', now() - interval '1 hour'
     from (select gen_random_uuid() as id from generate_series(1, $2::int)) new`,
    [tenantId, count],
  )
}

/** Of the plan that the connection has kept for the claim; what it claims is rolled back. */
async function explainClaim(pool: ClaimPool): Promise<PlanNode[]> {
  const values = `now(), 128, 8, 128, '{}', 2, 128, gen_random_uuid(), now(), '-infinity', 3`
  const explained = await withClaimLock(pool, async connection => {
    await connection.query({ name: '', text: 'savepoint before', values: [] })
    const text = `explain (analyze, format json) execute "claim-deliveries" (${values})`
    const { rows } = await connection.query({ name: '', text, values: [] })
    await connection.query({ name: '', text: 'rollback to before', values: [] })
    return rows as { 'QUERY PLAN': [{ Plan: PlanNode }] }[]
  })
  return flatten(explained[0]!['QUERY PLAN'][0].Plan)
}

function rowsRead(nodes: PlanNode[]): number {
  return nodes
    .filter(node => node['Relation Name'] === 'delivery' && 'Index Name' in node)
    .reduce(
      (sum, node) =>
        sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    )
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)]
}
