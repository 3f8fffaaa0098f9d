import { expect } from 'chai'
import pg from 'pg'
import { type ClaimPool, withClaimLock } from '#domain/webhook/claim-lock.ts'
import { claim, type QueueFixture, useQueueFixture } from './fixture.ts'

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  'Actual Loops': number
  Plans?: PlanNode[]
}

describe('The query plan of the claim', () => {
  const queue = useQueueFixture()
  let pool: pg.Pool
  beforeEach(() => {
    // One connection, never closed when idle, so that the explained plan is the one that the first claim prepared.
    pool = new pg.Pool({ connectionString: queue.url, max: 1, idleTimeoutMillis: 0 })
    pool.on('connect', connection => void connection.on('error', () => {}))
    pool.on('error', () => {})
  })
  afterEach(() => pool.end())

  it('reads a few rows through the indexes, even after 100,000 rows of a blocked tenant were added', async () => {
    const blocked = await queue.addTenant()
    const others = await queue.addTenants(20)
    // The plan is prepared while the table is empty, and statistics are never gathered.
    await queue.query('alter table delivery set (autovacuum_enabled = off)')
    await claim(pool)
    await addBacklog(queue, blocked, 100_000)
    for (const id of others) await queue.addDeliveries(id, 3)
    await queue.query(
      `update delivery set state = 'in_flight', lease_until = now() + interval '8 s' where tenant_id = $1 and
       verification_id in (select verification_id from delivery where tenant_id = $1 limit 8)`,
      [blocked],
    )
    // 22 steps from tenant to tenant, the others' 60 rows three times, the 8 in flight; never the 100,000.
    const nodes = await explainClaim(pool)
    expect(rowsRead(nodes)).to.be.below(500)
    expect(nodes.filter(node => node['Node Type'] === 'Seq Scan')).to.deep.equal([])
    expect(nodes.map(node => node['Index Name'])).to.include('delivery_pending')
    expect(nodes.map(node => node['Index Name'])).to.include('delivery_in_flight')
    expect((await claim(pool)).claimed).to.have.lengthOf(60)
  }).timeout(60_000)
})

/** Adds due deliveries in one statement. */
async function addBacklog(queue: QueueFixture, tenantId: string, count: number): Promise<void> {
  await queue.query(
    `insert into delivery (tenant_id, verification_id, type, body, state, due_at, created_at)
     select $1, id, 'verification.completed', '{}', 'pending', now() - interval '1 hour', now() - interval '1 hour'
     from (select gen_random_uuid() as id from generate_series(1, $2::int)) new`,
    [tenantId, count],
  )
}

/** Explains the connection's prepared plan of the claim. What it claims is rolled back. */
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
