import { Migration } from '@mikro-orm/migrations'
import { expect } from 'chai'
import { applyMigrations } from '#domain/schema/apply-migrations.ts'
import { migrationList } from '#domain/schema/migration-list.ts'
import type { Fault } from '../chaos/faults/fault.ts'
import { killEverything, restartInTurn } from '../chaos/faults/processes.ts'
import { planInTurn } from '../chaos/plan.ts'
import { databaseName, databaseUrl } from '../chaos/system/topology.ts'
import { describeWithOwnRedis } from '../harness/engines/redis.ts'
import { runPlan } from './run-plan.ts'

/** What a migration may do while the previous version of the program serves requests. */
class Expand extends Migration {
  override up(): void {
    this.addSql('alter table verification add column note text')
    this.addSql('alter table verification_outcome add column score_version smallint not null default 1')
    this.addSql('alter table tenant add constraint tenant_named check (length(name) > 0) not valid')
    this.addSql('create table note (id uuid primary key, verification_id uuid not null)')
  }
}

class Validate extends Migration {
  override up(): void {
    this.addSql('alter table tenant validate constraint tenant_named')
  }
}

class Index extends Migration {
  override up(): void {
    this.addSql('set lock_timeout = 0')
    this.addSql('create index concurrently tenant_name on tenant (name)')
  }

  override isTransactional(): boolean {
    return false
  }
}

const next = [Expand, Validate, Index].map(migration => ({ name: migration.name, class: migration }))

/** The migrations of the next version, of which a long transaction keeps the first from locking a table. */
const migrate: Fault = {
  name: 'migration',
  lane: 'database',
  weight: 0,
  lastsMs: [0, 0],
  effects: [],
  async begin({ system: { database } }) {
    const { primary } = database
    const long = await primary.connect(databaseName)
    await long.query('begin; select from verification limit 1')
    const locked: string[] = []
    const applied = await applyMigrations({
      url: databaseUrl(`127.0.0.1:${primary.options.port}`),
      migrations: [...migrationList, ...next],
      onLocked(migration) {
        locked.push(migration)
        void long.query('commit')
      },
    })
    await long.end()
    expect(applied).to.deep.equal(['Expand', 'Validate', 'Index'])
    expect(locked).to.include('Expand')
  },
  async heal({ system: { database } }) {
    // Only the next version would run commands of the operator, and start.
    const remove = 'delete from mikro_orm_migrations where name = any($1)'
    await database.primary.query(remove, [next.map(({ name }) => name)], databaseName)
  },
}

describeWithOwnRedis('An installation of two processes', function () {
  this.timeout(600_000)

  it('fails no request during migrations and a rolling restart, and loses nothing if all of it is killed', async () => {
    const plan = planInTurn(
      { fault: migrate, lastsMs: 500 },
      { fault: restartInTurn, lastsMs: 500 },
      { fault: killEverything, lastsMs: 500 },
    )
    const { requests } = await runPlan({ plan, clients: 8, keepsConnections: true })
    expect(requests).to.be.greaterThan(100)
  })
})
