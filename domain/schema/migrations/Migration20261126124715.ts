import { SchemaMigration } from '../schema-migration.ts'

/**
 * The index of changes, without locking completions out: one partition after the other, as PostgreSQL can't build it for the
 * whole table. Partitions that are created meanwhile have it already. A second try goes on with those that lack it.
 */
export class Migration20261126124715 extends SchemaMigration {
  override name = 'Migration20261126124715'
  override oldestProgram = '1.0.0'

  override isTransactional(): boolean {
    return false
  }

  override async up(): Promise<void> {
    for (const { name } of await this.execute(partitionsWithoutIndex)) {
      this.addSql('set lock_timeout = 0')
      this.addSql(`drop index concurrently if exists "${name}_changes"`)
      this.addSql(
        `create index concurrently "${name}_changes" on "${name}" ("tenant_id", (${place})) where completed_at is not null`,
      )
      // It waits for those that write to the partition, and others behind it.
      this.addSql(`set lock_timeout = '3s'`)
      this.addSql(`alter index "verification_changes" attach partition "${name}_changes"`)
    }
  }
}

const place = `case when change > 0 then change >> 8
  else ('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint - (1::bigint << 48) end`

const partitionsWithoutIndex = `select c.relname as name from pg_inherits p join pg_class c on c.oid = p.inhrelid
  where p.inhparent = 'verification'::regclass and not exists (
    select from pg_index i join pg_inherits x on x.inhrelid = i.indexrelid
    where i.indrelid = c.oid and x.inhparent = 'verification_changes'::regclass
  ) order by 1`
