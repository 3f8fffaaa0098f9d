import { hash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { MikroORM } from '@mikro-orm/postgresql'
import { expect } from 'chai'
import { migrationSource } from '#development/schema/migration-source.ts'
import { addToList, setChecksum } from '#development/schema/register-migration.ts'
import { schemaSql } from '#development/schema/schema-sql.ts'
import { migrationList } from '#domain/schema/migration-list.ts'
import { ormConfig } from '#domain/schema/orm.config.ts'
import { compareVersions, programVersion } from '#domain/schema/program-version.ts'
import type { SchemaMigration } from '#domain/schema/schema-migration.ts'

const folder = 'domain/schema/migrations'

describe('Migrations', () => {
  let orm: MikroORM
  before(async () => {
    orm = await MikroORM.init(ormConfig({ url: 'postgres://127.0.0.1/none' }))
  })
  after(() => orm.close(true))

  it('are all in migration-list.ts', () => {
    const files = globSync(`${folder}/Migration*.ts`).toSorted()
    expect(files.map(file => basename(file, '.ts'))).to.deep.equal(migrationList.map(({ name }) => name))
  })

  it('have a schema.sql that matches the entities (if not: npm run migration)', async () => {
    expect(readFileSync('domain/schema/schema.sql', 'utf8')).to.equal(await schemaSql(orm))
  })

  it('are not edited once they are released', () => {
    const files = globSync(`${folder}/*.{sql,ts}`)
    const sums = files.map(file => `${hash('sha256', readFileSync(file))}  ${basename(file)}`)
    const listed = readFileSync(`${folder}/checksums.txt`, 'utf8').trimEnd().split('\n')
    expect(
      sums.toSorted(),
      `Databases have applied what is released: undo the change, and write a further migration (npm run migration).
       Only for the newest, while no release contains it: npm run migration`,
    ).to.deep.equal(listed.toSorted())
  })

  it('name the oldest program that can run on their schema: expand first, contract in a later version', async () => {
    const steps: { name: string; oldestProgram: string; sql: string }[] = []
    for (const { name, class: Step } of migrationList) {
      const migration = new Step(orm.em.getDriver(), orm.config) as SchemaMigration
      await migration.up()
      steps.push({ name, oldestProgram: migration.oldestProgram, sql: migration.getQueries().join(';\n') })
    }
    expect(steps.flatMap((step, index) => violations(step, steps[index - 1]))).to.deep.equal([])
  })

  it('that contract, but let the programs before run, are found', () => {
    const previous = { name: 'Previous', oldestProgram: '1.0.0', sql: '' }
    const check = (sql: string, oldestProgram = '1.0.0') =>
      violations({ name: 'Next', oldestProgram, sql }, previous).map(line => line.replace(/^Next /, ''))
    const contracting = [
      'alter table tenant drop column name',
      'DROP TABLE "plan"',
      'alter table "plan" rename column "name" to "title"',
      'alter table tenant alter column name set not null',
      'alter table tenant alter column "name" type text using name::text',
      'alter table tenant add column "colour" text not null',
      'alter table "tenant" add "size" int null, add "colour" varchar(10) not null;',
    ]
    for (const sql of contracting) {
      expect(check(sql), sql).to.deep.equal(['contracts: it needs a newer oldestProgram than Previous'])
      expect(check(sql, '0.9.0'), sql).to.include('has an older oldestProgram than Previous')
    }
    const expanding = [
      'alter table tenant add column colour text null',
      `alter table tenant add column colour text not null default 'red'`,
      'create table colour (name text not null)',
      'alter table tenant add constraint tenant_named check (name is not null) not valid',
      'alter table "tenant" add "colour" varchar(10) null;',
      'create index concurrently tenant_name on tenant (name)',
    ]
    for (const sql of expanding) expect(check(sql), sql).to.deep.equal([])
    expect(check('', '99.0.0')).to.deep.equal([
      `must let version ${programVersion} run, for as long as it takes to upgrade`,
    ])
    expect(check('', '1.0')).to.deep.equal(['has no oldestProgram of the form MAJOR.MINOR.0'])
  })

  it('are written by npm run migration with the version that they follow, and any SQL', () => {
    const source = migrationSource('MigrationNext', ["comment on table tenant is '`$\\'", ''])
    expect(source).to.include(`override oldestProgram = '${programVersion.replace(/\d+$/, '0')}'`)
    expect(source).to.include("this.addSql(`comment on table tenant is '\\`\\$\\\\'`)\n  }")
  })

  it('are listed by npm run migration, with one checksum each', () => {
    const list = addToList(readFileSync('domain/schema/migration-list.ts', 'utf8'), 'MigrationNext')
    expect(list).to.include("import { MigrationNext } from './migrations/MigrationNext.ts'\n")
    expect(list).to.match(/ = \[[^\]]*, MigrationNext\]/)
    // The formatter breaks a long list, and ends it with a comma.
    expect(list).not.to.match(/,\s*,/)
    const released = `${'0'.repeat(64)}  MigrationOne.ts\n`
    const first = setChecksum(released, 'MigrationNext.ts', 'first')
    expect(first).to.equal(`${released}${hash('sha256', 'first')}  MigrationNext.ts\n`)
    expect(setChecksum(first, 'MigrationNext.ts', 'edited')).to.equal(
      `${released}${hash('sha256', 'edited')}  MigrationNext.ts\n`,
    )
  })
})

interface Step {
  name: string
  oldestProgram: string
  sql: string
}

/** What a program that doesn't know the migration would stumble over; a constraint or a trigger can do so, too. */
const contracting =
  /\bdrop (table|column|type|function)\b|\brename (to|column|value)\b|\bset not null\b|\balter (column )?\S+ (set data )?type\b|\badd (?!constraint\b)(?![^,;]*\bdefault\b)[^,;]*\bnot null\b/i

function violations({ name, oldestProgram, sql }: Step, previous: Step | undefined): string[] {
  if (!/^\d+\.\d+\.0$/.test(oldestProgram)) return [`${name} has no oldestProgram of the form MAJOR.MINOR.0`]
  const found: string[] = []
  if (compareVersions(oldestProgram, programVersion) > 0) {
    found.push(`${name} must let version ${programVersion} run, for as long as it takes to upgrade`)
  }
  if (previous === undefined) return found
  const order = compareVersions(oldestProgram, previous.oldestProgram)
  if (order < 0) found.push(`${name} has an older oldestProgram than ${previous.name}`)
  if (order === 0 && contracting.test(sql)) {
    found.push(`${name} contracts: it needs a newer oldestProgram than ${previous.name}`)
  }
  return found
}
