import { Migration } from '@mikro-orm/migrations'
import { expect } from 'chai'
import pg from 'pg'
import { applyMigrations } from '#domain/schema/apply-migrations.ts'
import { migrationList, type NamedMigration } from '#domain/schema/migration-list.ts'
import { stored } from '../harness/stored.ts'
import { useService, useTenant } from '../harness/use-service.ts'
import { runWorkload } from './postgres/workload.ts'

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

const next: NamedMigration[] = [Expand, Validate, Index].map(migration => ({
  name: migration.name,
  class: migration,
}))

describe('Migrations of the next version, while this one serves requests', function () {
  this.timeout(60_000)
  const service = useService()
  const tenant = useTenant(service)

  it('fail no request, also if a long transaction keeps them from locking a table', async () => {
    await stored(
      service,
      'update plan set rate_limit_per_minute = 100000, read_rate_limit_per_minute = 100000',
    )
    const long = new pg.Client({ connectionString: service.databaseUrl })
    await long.connect()
    const { ledger, stop } = runWorkload({ service, tenant })
    await long.query('begin; select from verification limit 1')
    const locked: string[] = []
    const applied = await applyMigrations({
      url: service.databaseUrl,
      migrations: [...migrationList, ...next],
      onLocked(migration) {
        locked.push(migration)
        void long.query('commit')
      },
    })
    await stop()
    await long.end()
    expect(applied).to.deep.equal(['Expand', 'Validate', 'Index'])
    expect(locked).to.deep.equal(['Expand'])
    for (const calls of Object.values(ledger.calls)) {
      expect(calls.length).to.be.greaterThan(10)
      expect(calls.filter(({ ok }) => !ok)).to.deep.equal([])
    }
    expect(ledger.decided).to.have.members(ledger.started)
  })
})
