import type { Client } from 'pg'
import type { Config } from '#server/configuration/config.ts'
import { Fault } from './check.ts'

/**
 * Throws a `Fault` if the role lacks rights on a table, or cannot apply the migrations that a start would. Before the first
 * migration there are no tables.
 */
export async function describeRights(client: Client, { migrateOnStart }: Config): Promise<string> {
  const { rows: missing } = await client.query<{ name: string; privileges: string }>(
    `select c.relname as name, string_agg(p, ', ') as privileges
     from pg_class c cross join unnest(array['select', 'insert', 'update', 'delete']) p
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
       and (c.relname <> 'mikro_orm_migrations' or p = 'select') and not has_table_privilege(c.oid, p)
     group by c.relname order by c.relname`,
  )
  const { rows } = await client.query<{
    role: string
    schema: string
    superuser: boolean
    sees: boolean
    migrates: boolean
    empty: boolean
  }>(
    `select current_user as role, current_schema() as schema, r.rolsuper as superuser,
       pg_has_role('pg_read_all_stats', 'usage') as sees,
       not exists (select from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r')
         as empty,
       has_schema_privilege(current_schema(), 'create') and not exists (
         select from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
           and not pg_has_role(c.relowner, 'usage')
       ) as migrates
     from pg_roles r where r.rolname = current_user`,
  )
  const { role, schema, superuser, sees, migrates, empty } = rows[0]!
  if (missing.length > 0) {
    const lacking = missing.map(({ name, privileges }) => `${privileges} on ${name}`).join('; ')
    throw new Fault(
      `the role ${role} lacks ${lacking}: grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
    )
  }
  if (migrateOnStart && !migrates) {
    throw new Fault(
      `the role ${role} does not own the tables, so it cannot apply migrations: set MIGRATE_ON_START=false and run operator database migrate as their owner`,
    )
  }
  if (!sees) {
    throw new Fault(
      `the role ${role} cannot see for how long other roles have transactions open: grant pg_read_all_stats to ${role}`,
    )
  }
  if (empty) return `there are no tables yet, and the role ${role} ${migrates ? 'can' : 'cannot'} create them`
  if (superuser) return `the role ${role} is a superuser: the service needs none`
  return `the role ${role} can read and write the tables${migrates ? ', and migrate them' : ''}`
}
