import { expect } from 'chai'
import pg from 'pg'
import type { Statement } from '#domain/database/statement.ts'
import { firstIdAt, newId, timeOfId } from '#domain/ids.ts'
import { setSettings } from '#domain/postgres/index.ts'
import { planSettings } from '#domain/schema/orm.config.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { startVerification } from '#domain/verification/start-verification.ts'
import { statements } from '../declared-statements.ts'
import { issueToken } from '../token/issue-token.ts'
import { type Fixture, useFixture } from './fixture.ts'
import { startOne } from './start-one.ts'

describe('The hot paths', () => {
  const fixture = useFixture()
  let tenantId: string
  before(async () => {
    tenantId = await fixture.addTenant()
  })

  it('start a verification with two statements', async () => {
    const sent = await during(() => startVerification(fixture.tenant(tenantId), { ip: '203.0.113.7' }))
    expect(sent).to.deep.equal(['reserve-start', 'confirm-start'])
  })

  it('record a callback with one read and one write, including a completion', async () => {
    const one = await startOne(fixture, tenantId)
    await issueToken(fixture, tenantId, true)
    const record = (outcome: 'started' | 'approved') => () =>
      recordProviderResult(fixture.service(), one.result(outcome, { attemptId: 'first' }))
    expect(await during(record('started'))).to.deep.equal(['load-verification', 'move-verification'])
    expect(await during(record('started'))).to.deep.equal(['load-verification'])
    expect(await during(record('approved'))).to.deep.equal(['load-verification', 'complete-verification'])
    expect(await during(record('approved'))).to.deep.equal(['load-verification'])
  })

  async function during(work: () => Promise<unknown>): Promise<string[]> {
    const before = fixture.sent.length
    await work()
    return fixture.sent.slice(before)
  }
})

/** domain/database/README.md says why. */
const remedy = 'beside the join, say which rows: id = any (:verificationId)'

describe('The statements over several rows', () => {
  const fixture = useFixture()
  let tenantId: string
  before(async () => {
    tenantId = await fixture.addTenant()
  })

  const ofSeveral = statements.filter(({ sql }) => sql.includes('with ordinality as w'))
  it('are found by their text', () => {
    const names = ofSeveral.map(({ definition }) => definition.name)
    expect(names).to.include.members([
      'find-key-access',
      'find-verification',
      'reserve-start',
      'complete-verification',
    ])
    expect(names).to.have.length(13)
  })

  const sizes: [title: string, fill: () => Promise<unknown>][] = [
    ['that are new', async () => {}],
    ['that are empty', () => fixture.rows('vacuum analyze')],
    ['with one row', () => startOne(fixture, tenantId).then(() => fixture.rows('vacuum analyze'))],
    [
      'with hundreds of rows',
      async () => {
        await Promise.all(Array.from({ length: 300 }, () => startOne(fixture, tenantId)))
        await fixture.rows('vacuum analyze')
      },
    ],
  ]
  for (const [title, fill] of sizes) {
    it(`look up each row by its key if they are planned for tables ${title}`, async () => {
      await fill()
      const id = newId(fixture.clock())
      const known = { tenantId: id, verificationId: id }
      const reads: { where: string; condition: unknown }[] = []
      for (const { definition, sql } of ofSeveral) {
        const nodes = await planOf(fixture, { definition, sql }, known)
        for (const node of nodes.filter(isRead)) {
          const where = `${definition.name}, ${node['Relation Name'] ?? node['Index Name']}`
          reads.push({ where, condition: node['Index Cond'] ?? node['TID Cond'] })
        }
      }
      expect(reads).to.have.length.above(ofSeveral.length)
      const whole = reads.filter(({ condition }) => !/ = (ANY|\w+\.|\(\w+\.|\$)/.test(String(condition)))
      expect(whole, remedy).to.deep.equal([])
    })
  }

  /** These grow slowly: PostgreSQL plans anew when they have 50 rows more. */
  const small = /^(plan|tenant|signing_key|token_signer|service_setting)(_pkey)?$/

  function isRead(node: PlanNode): boolean {
    const name = node['Relation Name'] ?? node['Index Name']
    const isOther = ['ModifyTable', 'Bitmap Heap Scan'].includes(String(node['Node Type']))
    return name !== undefined && !isOther && !small.test(String(name))
  }
})

describe('The hot statements on large tables', () => {
  const fixture = useFixture()
  let tenantId: string
  let known: Record<string, string>
  before(async function () {
    this.timeout(60_000)
    tenantId = await fixture.addTenant()
    await fill()
    // A token is found by way of its signer.
    await issueToken(fixture, tenantId, true)
    const [one] = await fixture.rows<{ id: string }>(
      `update open_verification set closes_at = now(), poll_at = now() where verification_id = (
         select verification_id from open_verification where verification_id < $1 order by 1 desc limit 1
       ) returning verification_id as id`,
      [firstIdAt(new Date('2026-11-15'))],
    )
    const { id } = one!
    const now = new Date().toISOString()
    const range = { from: id, before: newId(new Date(timeOfId(id).getTime() + 1)) }
    const ids = { tenantId, verificationId: id, providerSessionId: 's' }
    await fixture.rows(`insert into verification_outcome values ($1, 'denied', $2)`, [tenantId, id])
    known = {
      ...ids,
      ...range,
      now,
      open: 'pending',
      sampledOneIn: '1',
      after: '0',
    }
  })

  const indexes: Record<string, string> = {
    'find-verification': 'verification_pkey',
    'find-key-access-with-verification': 'verification_pkey',
    'load-verification': 'verification_pkey',
    'find-return-url': 'verification_pkey',
    'find-changes': 'verification_changes',
    'find-verifications': 'verification_pkey',
    'find-verifications-by-status': 'open_verification_status',
    'count-denial-reasons': 'verification_outcome_pkey',
    'poll-soon': 'open_verification_pkey',
    'claim-due-polls': 'open_verification_poll_at',
    'claim-due-closings': 'open_verification_closes_at',
    'delete-idempotency-keys': 'idempotency_key_verification_id',
    'release-interrupted-starts': 'start_reservation_created_at',
    'move-verification': 'verification_pkey',
    'complete-verification': 'verification_pkey',
    'find-expired-verifications': 'verification_tenant',
  }
  for (const [name, index] of Object.entries(indexes)) {
    it(`use an index and never scan the whole table: ${name}`, async () => {
      const nodes = await planOf(
        fixture,
        statements.find(({ definition }) => definition.name === name)!,
        known,
      )
      const used = nodes.map(node => node['Index Name'])
      expect(used).to.include(index)
      const whole = nodes.filter(node => node['Node Type'] === 'Seq Scan').map(node => node['Relation Name'])
      // Of these a handful of rows exists.
      expect(
        whole.filter(table => !['signing_key', 'token_signer', 'tenant'].includes(table as string)),
      ).to.deep.equal([])
    })
  }

  async function fill(): Promise<void> {
    const ids = Array.from({ length: 20_000 }, (_, n) =>
      newId(new Date(fixture.clock().getTime() - n * 60_000)),
    )
    await fixture.rows(
      `insert into verification (id, tenant_id, status, provider_session_id)
       select id, $1, 'pending', 's-' || n from unnest($2::uuid[]) with ordinality as ids (id, n)`,
      [tenantId, ids],
    )
    await fixture.rows(
      `insert into open_verification (verification_id, tenant_id, status, closes_at, poll_at)
       select id, $1, 'pending', $2::timestamptz + n * interval '1 second',
         $2::timestamptz + n * interval '1 second'
       from unnest($3::uuid[]) with ordinality as ids (id, n)`,
      [tenantId, fixture.clock(), ids],
    )
    await fixture.rows(
      `insert into idempotency_key
         (tenant_id, key_digest, request_digest, verification_id, created_at, locked_until)
       select $1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), $2::timestamptz + n * interval '1 second', $2
       from generate_series(1, 20000) n`,
      [tenantId, fixture.clock()],
    )
    await fixture.rows(
      `insert into start_reservation (id, tenant_id, month, created_at)
       select gen_random_uuid(), $1, '2026-11-01', $2::timestamptz + n * interval '1 second'
       from generate_series(1, 5000) n`,
      [tenantId, fixture.clock()],
    )
    await fixture.rows('analyze')
  }
})

/** The nodes of a statement's generic plan. */
async function planOf(
  { url }: Fixture,
  { definition, sql }: Pick<Statement, 'definition' | 'sql'>,
  known: Record<string, string>,
): Promise<PlanNode[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`${setSettings(planSettings)}; prepare tested as ${sql}`)
    const values = Object.entries(definition.values).map(([name, type]) => sampleOf(name, type.name, known))
    const call = values.length > 0 ? `tested (${values.join()})` : 'tested'
    const { rows } = await client.query(`explain (format json) execute ${call}`)
    return nodesOf(rows[0]['QUERY PLAN'])
  } finally {
    await client.end()
  }
}

/** A literal for a value of a statement that affects one verification. */
function sampleOf(name: string, type: string, known: Record<string, string>): string {
  if (type.endsWith('[]')) return `array[${sampleOf(name, type.slice(0, -2), known)}]::${type}`
  if (name in known) return `'${known[name]}'`
  const samples: Record<string, string> = { int: name === 'revision' ? '0' : '1', bool: 'false' }
  if (type === 'verification_status') return `'approved'`
  if (type === 'verification_change_source') return `'provider'`
  if (type === 'timestamptz') return 'now()'
  return samples[type] ?? 'null'
}

type PlanNode = Record<string, unknown> & { Plans?: PlanNode[] }

function nodesOf(explained: unknown): PlanNode[] {
  const [{ Plan }] = explained as [{ Plan: PlanNode }]
  const walk = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(walk)]
  return walk(Plan)
}
