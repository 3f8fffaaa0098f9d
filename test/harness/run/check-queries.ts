import pg from 'pg'
import { setSettings } from '#domain/postgres/index.ts'
import { planSettings } from '#domain/schema/orm.config.ts'
import { observeStatements } from '../statements-during.ts'
import { sharedResource } from './shared-resources.ts'

/**
 * Fails after a test file in which MikroORM sent a query that no index serves, on a table that grows with use: with the few
 * rows of a test nobody would notice that it reads those of every tenant. SQL that is written by hand is not judged.
 */
export const mochaHooks = {
  /** Mocha calls no `afterAll` once another one has failed. */
  beforeAll: () => sent.clear(),
  async afterAll() {
    const queries = [...sent.values()]
    sent.clear()
    const [first, ...others] = await findUnindexed(queries)
    if (first !== undefined) throw new Error(`${first} (${others.length} more)`)
  },
}

/** By their texts without values. */
const sent = new Map<string, string>()
const madeByOrm = /^(select .* as "[a-z]\d+"|(update|delete from) ")/

observeStatements(({ name, text = '' }) => {
  const isOurs = madeByOrm.test(text) && !text.includes('mikro_orm_migrations')
  if (name === undefined && isOurs) sent.set(text.replace(/'[^']*'/g, ''), text)
})

/** They have a row per tenant, member, key, setting or month, or only what is not completed. */
const smallTables = new Set(
  (
    'api_key invitation lease member open_verification plan service_setting signing_key tenant ' +
    'token_signer usage_month webhook_secret'
  ).split(' '),
)

/** The operator looks through the deliveries of a day by hand, newest first. */
const accepted = /from "delivery" .* order by "d0"\."created_at" desc, "d0"\."tenant_id" desc/

interface Index {
  table: string
  firstColumn: string
  isPartial: boolean
}

type Indexes = Map<string, Index>

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  Plans?: PlanNode[]
}

/**
 * Which of MikroORM's queries no index serves, each with what to do. An index serves a query that compares its first column
 * for equality, or, if the query is not about one tenant, with a bound; or reads a page in its order. The plans are those of
 * empty tables, as production's settings choose them.
 */
async function findUnindexed(queries: readonly string[]): Promise<string[]> {
  if (queries.length === 0) return []
  const { url } = await sharedResource<{ url: string }>('emptyDatabase')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(setSettings(planSettings))
    const indexes = await readIndexes(client)
    const found: string[] = []
    for (const query of queries.filter(text => !accepted.test(text))) {
      const { rows } = await client.query(`explain (format json) ${query}`)
      const table = unindexedTable(rows[0]['QUERY PLAN'][0].Plan, query, indexes)
      if (table)
        found.push(`No index of ${table} serves this query, which would read the rows of others, too: ${query}
Compare the first column of an index (tenant_id, or the id), or add an index to the entity and run npm run migration.`)
    }
    return found
  } finally {
    await client.end()
  }
}

async function readIndexes(client: pg.Client): Promise<Indexes> {
  const { rows } = await client.query<Index & { name: string }>(`
    select indexrelid::regclass::text as name, indpred is not null as "isPartial",
      pg_get_indexdef(indexrelid, 1, true) as "firstColumn",
      indrelid::regclass::text as table
    from pg_index where indrelid in (select oid from pg_class where relnamespace = current_schema::regnamespace)`)
  return new Map(rows.map(row => [row.name, row]))
}

/** The table that a part of the plan reads without an index, if there is one. */
function unindexedTable(node: PlanNode, query: string, indexes: Indexes): string | undefined {
  const inner = node.Plans?.map(plan => unindexedTable(plan, query, indexes)) ?? []
  // One of the indexes that are combined is enough.
  if (node['Node Type'] === 'BitmapAnd' && inner.includes(undefined)) return undefined
  const table = node['Index Name']
    ? indexes.get(node['Index Name'])!.table
    : node['Node Type'] === 'Seq Scan' && node['Relation Name']!
  const isUnindexed = table && !smallTables.has(table) && !isServed(node, query, indexes)
  return isUnindexed ? table : inner.find(found => found !== undefined)
}

function isServed(node: PlanNode, query: string, indexes: Indexes): boolean {
  const index = indexes.get(node['Index Name'] ?? '')
  if (!index) return false
  const { 'Index Cond': condition = '', Filter: filter } = node
  const compares = (operator: string) => condition.includes(`(${index.firstColumn} ${operator}`)
  if (compares('= ')) return true
  // A partial index has only what is at work.
  if (condition === '') return index.isPartial || (filter === undefined && / limit \d+/.test(query))
  return !query.includes('"tenant_id" ') && compares('')
}
