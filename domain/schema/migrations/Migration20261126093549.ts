import { SchemaMigration } from '../schema-migration.ts'

/** Tenants remember that their receiver has accepted an event, and keys who created them. */
export class Migration20261126093549 extends SchemaMigration {
  override name = 'Migration20261126093549'
  override oldestProgram = '1.0.0'

  override up(): void {
    this.addSql(`alter table "tenant" add "webhook_accepted_at" timestamptz(3) null;`)
    this.addSql(
      `alter table "api_key" add "created_by_kind" text null, add "created_by_issuer" varchar(500) null, add "created_by_subject" varchar(255) null;`,
    )
    this.addSql(
      `alter table "api_key" add constraint "api_key_created_by_kind_check" check ("created_by_kind" in ('member', 'operator'));`,
    )
    // As the audit log has it: both ids begin with the time of the creation, so that a few events of each key are read.
    // Locked in the order in which uses are recorded.
    this.addSql(
      `with creator as (
         select k.tenant_id, k.id, e.* from api_key k cross join lateral (
           select actor_kind, actor_issuer, actor_subject from audit_event a
           where a.tenant_id = k.tenant_id and actor_kind in ('member', 'operator')
             and a.id between (left(k.id::text, 13) || '-0000-0000-000000000000')::uuid
               and (left(k.id::text, 13) || '-ffff-ffff-ffffffffffff')::uuid
             and (action = 'api_key.create' and target = k.id::text
               or action = 'api_key.replace' and changes ->> 'replacement' = k.id::text)
           limit 1
         ) e order by k.tenant_id, k.id for no key update of k
       )
       update api_key k set created_by_kind = actor_kind,
         created_by_issuer = case when actor_kind = 'member' then actor_issuer end,
         created_by_subject = case when actor_kind = 'member' then actor_subject end
       from creator c where k.tenant_id = c.tenant_id and k.id = c.id;`,
    )
  }
}
