/**
 * Measures the console's list of verifications with ten million rows, half of them of one tenant: the time of a page
 * and its query plan. `node bench/verification-list.ts [ROWS]`; inserting ten million rows takes some minutes.
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
  const [large, ...small] = await fixture.addTenants(101)
  await fillVerifications(fixture, {
    large: large!,
    small,
    rows,
    from: new Date(end - year),
    to: new Date(end),
  })
  const middle = new Date(end - year / 2)
  const table = []
  for (const [name, tenantId] of [
    ['half of all rows', large!],
    ['1 row in 200', small[0]!],
  ] as const) {
    const deep = (await page(tenantId, { limit: 1, to: middle })).items[0]!.verificationId
    table.push(await measure(`${name}: first page`, tenantId, { limit: 50 }))
    table.push(await measure(`${name}: page in the middle`, tenantId, { limit: 50, cursor: deep }))
    table.push(await measure(`${name}: rare status`, tenantId, { limit: 50, status: 'resubmission' }))
    table.push(await measure(`${name}: by time`, tenantId, { limit: 50, from: middle }))
    table.push(await measure(`${name}: search`, tenantId, { limit: 50, search: deep.slice(0, 12) }))
  }
  console.table(table)
} finally {
  await fixture.close()
}

async function measure(name: string, tenantId: string, request: VerificationsRequest) {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now()
    await page(tenantId, request)
    times.push(performance.now() - startedAt)
  }
  const [p50, p99] = [0.5, 0.99].map(share => Number(quantile(times, share).toFixed(2)))
  return { name, 'p50 ms': p50, 'p99 ms': p99, plan: await planOf(tenantId, request) }
}

function page(tenantId: string, request: VerificationsRequest) {
  // The function uses nothing else of a scope.
  const rules = { verificationRetentionMs: 2 * year }
  const scope = { em: fixture.em, now: new Date(end), rules, actor: { kind: 'operator', tenantId } }
  return listVerifications(scope as TenantScope, request)
}

/** Returns the nodes of the plan, from the limit down to the index, and the number of buffers that it reads. */
async function planOf(tenantId: string, request: VerificationsRequest): Promise<string> {
  const sql = await fixture.statementOf(() => page(tenantId, request))
  const [explained] = (await fixture.run(`explain (analyze, buffers, format json) ${sql}`)) as [
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
