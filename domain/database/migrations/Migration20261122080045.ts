import { Migration } from '@mikro-orm/migrations'

export class Migration20261122080045 extends Migration {
  override name = 'Migration20261122080045'

  override up(): void | Promise<void> {
    this.addSql(`alter table "usage_day" drop constraint "usage_day_tenant_id_foreign";`)

    this.addSql(`alter table "usage_month" drop constraint "usage_month_tenant_id_foreign";`)

    this.addSql(
      `alter table "delivery" add "attempted_at" timestamptz(3) null, add "failure" varchar(32) null;`,
    )
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "delivery" drop column "attempted_at", drop column "failure";`)

    this.addSql(
      `alter table "usage_day" add constraint "usage_day_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");`,
    )

    this.addSql(
      `alter table "usage_month" add constraint "usage_month_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");`,
    )
  }
}
