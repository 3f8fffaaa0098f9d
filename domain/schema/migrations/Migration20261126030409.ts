import { SchemaMigration } from '../schema-migration.ts'

/** A verification's row says whether it is a test one; before, the id of its session did. */
export class Migration20261126030409 extends SchemaMigration {
  override name = 'Migration20261126030409'
  override oldestProgram = '1.0.0'

  override up(): void {
    this.addSql(`alter table "verification" add "test" boolean not null default false;`)
    // By tenant, so that no others are read.
    this.addSql(
      `update verification set test = true, provider_session_id = substr(provider_session_id, 6)
       where tenant_id in (select id from tenant where test) and starts_with(provider_session_id, 'test:');`,
    )
  }
}
