import { SchemaMigration } from '../schema-migration.ts'

/**
 * The indexes of deliveries, without locking completions out. A second try begins anew, as what was interrupted leaves an
 * index that is not valid.
 */
export class Migration20261126030029 extends SchemaMigration {
  override name = 'Migration20261126030029'
  override oldestProgram = '1.0.0'

  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql('set lock_timeout = 0')
    this.addSql('drop index concurrently if exists "delivery_retry"')
    this.addSql(`create index concurrently "delivery_retry" on "delivery" ("due_at") where state = 'waiting'`)
    this.addSql('drop index concurrently if exists "delivery_of_tenant_in_flight"')
    this.addSql(
      `create index concurrently "delivery_of_tenant_in_flight" on "delivery" ("tenant_id") where state = 'in_flight'`,
    )
    this.addSql('drop index concurrently if exists "delivery_waiting"')
    this.addSql('drop index concurrently if exists "delivery_in_flight"')
  }
}
