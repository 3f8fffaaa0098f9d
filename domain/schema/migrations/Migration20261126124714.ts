import { readFileSync } from 'node:fs'
import { SchemaMigration } from '../schema-migration.ts'

/** Verifications know their place among the changes that tenants list. */
export class Migration20261126124714 extends SchemaMigration {
  override name = 'Migration20261126124714'
  override oldestProgram = '1.0.0'

  override up(): void {
    this.addSql(`alter table "verification" add "change" bigint not null default '0';`)
    // Of no partition yet.
    this.addSql(
      `create index "verification_changes" on only "verification" ("tenant_id", (${place})) where completed_at is not null;`,
    )
    this.addSql(readFileSync(`${import.meta.dirname}/verification-changes.sql`, 'utf8'))
  }
}

const place = `case when change > 0 then change >> 8
  else ('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint - (1::bigint << 48) end`
