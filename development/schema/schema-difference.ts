import type { MikroORM } from '@mikro-orm/postgresql'

/** What would make a migrated database as the entities are, statement by statement; none if it is. */
export async function schemaDifference(orm: MikroORM): Promise<string[]> {
  const sql = await orm.schema.getUpdateSchemaSQL({ wrap: false })
  const statements = sql.split(/;\n+/).map(text => text.trim())
  return statements.filter(text => text !== '' && !unknown.includes(text))
}

/** A part of another type, and a trigger with its function, which MikroORM doesn't know. */
const unknown = [
  'drop type "verification_change_source"',
  'drop trigger if exists "verification_changed" on "verification"',
  'drop function if exists "verification_verification_changed_fn"()',
]
