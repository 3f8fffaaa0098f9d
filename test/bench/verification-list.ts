/**
 * Measures the console's list of verifications with ten million rows, half of them of one tenant and a tenth of another
 * with hardly any approvals: the time of a page and the plan of its first query. `node bench/verification-list.ts [ROWS]`;
 * inserting ten million rows takes some minutes.
 */
import type { TenantScope } from '#domain/scope.ts'
import { listVerifications, type VerificationsRequest } from '#domain/verification/list-verifications.ts'
import { fillVerifications } from './fixture/fill-verifications.ts'
import { openBenchFixture } from './fixture/statement-fixture.ts'
import { quantile } from './report/quantile.ts'

const rows = Number(process.argv[2] ?? 10_000_000)
const rounds = 100
const year = 365 * 24 * 60 * 60 * 1000
const end = Date.UTC(2026, 10, 1)

const fixture = await openBenchFixture()
try {
  const [large, denying, ...small] = await fixture.addTenants(102)
  const period = { from: new Date(end - year), to: new Date(end) }
  await fillVerifications(fixture, { ...period, large: large!, small, rows })
  const later = { ...period, from: new Date(end - year + 1) }
  await fillVerifications(fixture, { ...later, large: denying!, small: [small[0]!], rows: rows / 5 })
  await denyAllBut10(denying!)
  const middle = new Date(end - year / 2)
  const table = []
  for (const [name, tenantId] of [
    ['half of all rows', large!],
    ['1 row in 200', small[1]!],
  ] as const) {
    const deep = (await page(tenantId, { limit: 1, to: middle })).items[0]!.verificationId
    table.push(await measure(`${name}: first page`, tenantId, {}))
    table.push(await measure(`${name}: page in the middle`, tenantId, { cursor: deep }))
    table.push(await measure(`${name}: rare status`, tenantId, { status: 'resubmission' }))
    table.push(await measure(`${name}: approved`, tenantId, { status: 'approved' }))
    table.push(await measure(`${name}: two statuses`, tenantId, { status: ['approved', 'denied'] }))
    table.push(await measure(`${name}: 18 or over`, tenantId, { over18: 'yes' }))
    table.push(await measure(`${name}: under 18, none`, tenantId, { over18: 'no' }))
    table.push(await measure(`${name}: by time`, tenantId, { from: middle }))
    table.push(await measure(`${name}: search`, tenantId, { search: deep.slice(0, 12) }))
  }
  table.push(await measure('10 approved in a tenth of all rows', denying!, { status: 'approved' }))
  table.push(await measure('the same: denied', denying!, { status: 'denied' }))
  table.push(await measure('the same: a frequent reason', denying!, { reasonCode: '102' }))
  table.push(await measure('the same: a rare reason', denying!, { reasonCode: '113' }))
  console.table(table)
} finally {
  await fixture.close()
}

/** Denies a tenant's verifications for one reason, all but 10 that are spread over the year. */
async function denyAllBut10(tenantId: string): Promise<void> {
  await fixture.run(
    `with denied as (
       update verification v set status = 'denied', over18 = null, timeline = v.timeline[1:2] ||
         row(v.completed_at, 'denied', 'provider', 9102, 1, true, '102', null)::verification_change
       where v.tenant_id = $1 and v.token_status_index % $2::int <> 100
       returning v.id
     ), unlisted as (
       delete from verification_outcome where tenant_id = $1
     )
     insert into verification_outcome (tenant_id, status, verification_id) select $1, 'denied', id from denied`,
    [tenantId, Math.floor(rows / 50)],
  )
  await fixture.run('vacuum analyze')
}

async function measure(name: string, tenantId: string, request: VerificationsRequest) {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now()
    await page(tenantId, request)
    times.push(performance.now() - startedAt)
  }
  const [p50, p99] = [0.5, 0.99].map(share => Number(quantile(times, share).toFixed(2)))
  const { items } = await page(tenantId, request)
  return {
    name,
    items: items.length,
    'p50 ms': p50,
    'p99 ms': p99,
    plan: await planOf(tenantId, request),
  }
}

function page(tenantId: string, request: VerificationsRequest) {
  // The function uses nothing else of a scope.
  const rules = { verificationRetentionMs: 2 * year }
  const scope = { em: fixture.em, now: new Date(end), rules, actor: { kind: 'operator', tenantId } }
  return listVerifications(scope as TenantScope, { limit: 50, ...request })
}
/** Returns the nodes of the plan, from the limit down to the index, and the number of buffers that it reads. */
async function planOf(tenantId: string, request: VerificationsRequest): Promise<string> {
  const { text, values } = await fixture.statementOf(() => page(tenantId, request))
  const [explained] = (await fixture.run(`explain (analyze, buffers, format json) ${text}`, values)) as [
    { 'QUERY PLAN': [{ Plan: PlanNode }] },
  ]
  const nodes: string[] = []
  let node: PlanNode | undefined = explained['QUERY PLAN'][0].Plan
  const buffers = node['Shared Hit Blocks'] + node['Shared Read Blocks']
  for (; node; node = node.Plans?.[0]) {
    nodes.push([node['Node Type'], node['Scan Direction'], node['Index Name']].filter(Boolean).join(' '))
  }
  return `${nodes.join(' ← ')}; ${buffers} buffers`
}

interface PlanNode {
  'Node Type': string
  'Scan Direction'?: string
  'Index Name'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}
