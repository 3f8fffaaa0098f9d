import { SchemaMigration } from '../schema-migration.ts'

/** What became of a tenant's events, without locking completions out. A second try begins anew. */
export class Migration20261126093550 extends SchemaMigration {
  override name = 'Migration20261126093550'
  override oldestProgram = '1.0.0'

  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql('set lock_timeout = 0')
    this.addSql('drop index concurrently if exists "delivery_attempted"')
    this.addSql(
      `create index concurrently "delivery_attempted" on "delivery" ("tenant_id", "state", "attempted_at") where attempted_at is not null`,
    )
  }
}
