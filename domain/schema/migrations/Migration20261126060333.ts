import { SchemaMigration } from '../schema-migration.ts'

/** The person behind the operator's system user; keys were last used in the minute before their creation. */
export class Migration20261126060333 extends SchemaMigration {
  override name = 'Migration20261126060333'
  override oldestProgram = '1.0.0'

  override up(): void {
    this.addSql(`alter table "service_audit_event" add "actor_name" varchar(255) null;`)
    this.addSql(`alter table "audit_event" add "actor_name" varchar(255) null;`)
    // Locked in the order in which uses are recorded.
    this.addSql(
      `with early as (
         select tenant_id, id from api_key where last_used_at < created_at
         order by tenant_id, id for no key update
       )
       update api_key k set last_used_at = created_at from early
       where k.tenant_id = early.tenant_id and k.id = early.id;`,
    )
  }
}
