import { SchemaMigration } from '../schema-migration.ts'

/** Test tenants; notes of invitations, failed requests of keys, and whether a completion had a webhook URL. */
export class Migration20261123202134 extends SchemaMigration {
  override name = 'Migration20261123202134'
  override oldestProgram = '1.0.0'

  override up(): void {
    this.addSql(
      `create table "simulated_session" ("id" uuid not null, "verification_id" uuid not null, "token_hash" varchar(64) not null, "created_at" timestamptz(3) not null, "revision" int not null default 0, "content" jsonb not null, primary key ("id"));`,
    )
    this.addSql(
      `alter table "simulated_session" add constraint "simulated_session_token_hash_unique" unique ("token_hash");`,
    )
    this.addSql(`create index "simulated_session_verification" on "simulated_session" ("verification_id");`)
    this.addSql(`create index "simulated_session_created_at" on "simulated_session" ("created_at");`)
    this.addSql(`alter table "signing_key" add "test" boolean not null default false;`)
    this.addSql(
      `create unique index "signing_key_active" on "signing_key" ("test") where retired_at is null;`,
    )
    this.addSql(`drop index "signing_key_one_active";`)
    this.addSql(`alter table "tenant" add "test" boolean not null default false;`)
    this.addSql(`alter table "invitation" add "note" varchar(100) null;`)
    this.addSql(
      `alter table "api_key_usage" add "client_errors" int not null default 0, add "rate_limited" int not null default 0;`,
    )
    this.addSql(`alter table "verification" add "has_webhook" boolean null;`)
  }
}
