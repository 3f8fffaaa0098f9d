import { hash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { MikroORM } from '@mikro-orm/postgresql'
import { expect } from 'chai'
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
