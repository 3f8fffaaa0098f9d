import { SchemaMigration } from '../schema-migration.ts'

/** Events of test tenants, for programs that receive them by asking for them. */
export class Migration20261126091259 extends SchemaMigration {
  override name = 'Migration20261126091259'
  override oldestProgram = '1.0.0'

  override up(): void {
    this.addSql(
      `create table "test_event" ("tenant_id" uuid not null, "id" int not null, "at" timestamptz(3) not null, "attempt" smallint not null, "url" varchar(2048) null, "headers" jsonb not null, "body" text not null, primary key ("tenant_id", "id"));`,
    )
    this.addSql(`create index "test_event_at" on "test_event" ("at");`)
    this.addSql(`alter table "tenant" add "test_events" int not null default 0;`)
    this.addSql(
      `alter table "test_event" add constraint "test_event_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");`,
    )
  }
}
