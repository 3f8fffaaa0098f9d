import { SchemaMigration } from '../schema-migration.ts'

export class Migration20261126123921 extends SchemaMigration {
  override name = 'Migration20261126123921'
  override oldestProgram = '1.0.0'

  override up(): void {
    this.addSql(
      `create table "practice_statement" ("version" int not null, "published_at" timestamptz(3) not null, "sha256" varchar(64) not null, "statement" text not null, primary key ("version"));`,
    )
  }
}
