import { SchemaMigration } from '../schema-migration.ts'

/** Tenants keep verifications for a shorter time than the service, whose sessions the provider then deletes at its pace. */
export class Migration20261126124451 extends SchemaMigration {
  override name = 'Migration20261126124451'
  override oldestProgram = '1.0.0'

  override up(): void {
    this.addSql(
      `create table "session_deletion" ("provider_session_id" varchar(200) not null, "started_at" timestamptz(3) not null, "due_at" timestamptz(3) not null, primary key ("provider_session_id"));`,
    )
    this.addSql(`create index "session_deletion_due_at" on "session_deletion" ("due_at");`)
    this.addSql(`alter table "tenant" add "retention_days" int null;`)
  }
}
