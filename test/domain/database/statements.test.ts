import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import pg from 'pg'
import type { SqlTypes } from '#domain/database/sql-types.ts'
import { statement } from '#domain/database/statement.ts'
import { DomainError } from '#domain/errors.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { files, statements } from '../declared-statements.ts'

describe('Prepared statements', () => {
  let database: TestDatabase
  let client: pg.Client
  before(async () => {
    database = await createTestDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
  })
  after(async () => {
    await client.end()
    await database.close()
  })

  for (const { definition, sql } of statements) {
    it(`${definition.name} fits the schema, and has the declared values and columns`, async () => {
      await client.query(`prepare "${definition.name}" as ${sql}`)
      const { rows } = await client.query(
        'select parameter_types::text[] as types from pg_prepared_statements where name = $1',
        [definition.name],
      )
      expect(rows[0].types.map(canonical)).to.deep.equal(typesOf(definition.values))
      const columns = await columnsOf(sql, definition.values)
      const names = Object.keys(definition.row)
      // A statement whose rows nobody reads may return some.
      if (names.length === 0) return
      expect(columns.map(({ name }) => name)).to.deep.equal(names)
      expect(columns.map(({ type }) => canonical(type))).to.deep.equal(typesOf(definition.row))
    })
  }

  it('are all exported under a name of their own, so that these tests find them', () => {
    const calls = files.flatMap(file => [
      ...readFileSync(file, 'utf8').matchAll(/^(?:export )?const \w+ = (\w+)\((?:\{\s*(?:name|table): )?'/gm),
    ])
    const each = {
      statement: 1,
      encryptedColumn: 3,
      dueWork: 2,
    }
    const counts = calls.map(([, declaration]) => each[declaration as keyof typeof each] ?? 0)
    expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(statements.length)
  })

  /** The columns of the result, from running the statement in a transaction that is rolled back. */
  async function columnsOf(sql: string, values: SqlTypes): Promise<{ name: string; type: string }[]> {
    await client.query('begin')
    try {
      // Foreign keys are not checked: the tables are empty.
      await client.query('set local session_replication_role = replica')
      const samples = Object.values(values).map(({ name }) => sampleOf(name))
      const { fields } = await client.query(sql, samples)
      const { rows } = await client.query(
        'select format_type(oid, null) as type from unnest($1::oid[]) with ordinality as t (oid, n) order by n',
        [fields.map(({ dataTypeID }) => dataTypeID)],
      )
      return fields.map(({ name }, index) => ({ name, type: rows[index].type }))
    } finally {
      await client.query('rollback')
    }
  }
})

describe('A statement', () => {
  it('throws DATABASE_ERROR, with the reason as its private cause, when the query fails', async () => {
    const find = statement({ name: 'find', text: 'select', values: {}, row: {} })
    const cause = new Error('private')
    const error = await find({ query: () => Promise.reject(cause) }, {}).catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(DomainError).with.property('code', 'DATABASE_ERROR')
    expect(error).to.have.property('cause', cause)
    expect((error as Error).message).not.to.include('private')
  })
})

function typesOf(types: SqlTypes): string[] {
  return Object.values(types).map(({ name }) => canonical(name))
}

function sampleOf(type: string): unknown {
  return type.endsWith('[]') ? [samples[type.slice(0, -2)]] : samples[type]
}

const samples: Record<string, unknown> = {
  uuid: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b0',
  // Also an array, where a statement reads an array from it.
  text: '{sample}',
  smallint: 1,
  verification_status: 'approved',
  verification_change_source: 'provider',
  int: 1,
  int8: '1',
  float8: 0.5,
  bool: true,
  timestamptz: new Date(),
  date: '2026-11-01',
  bytea: Buffer.from('sample'),
  jsonb: {},
}

/** Types that the driver reads alike have one name. */
function canonical(type: string): string {
  const name = type.replace('[]', '')
  return (aliases[name] ?? name) + type.slice(name.length)
}

const aliases: Record<string, string> = {
  int: 'integer',
  int8: 'bigint',
  smallint: 'integer',
  bool: 'boolean',
  float8: 'double precision',
  timestamptz: 'timestamp with time zone',
  'character varying': 'text',
}
