import type { MikroORM } from '@mikro-orm/postgresql'

/** What would make a migrated database as the entities are, statement by statement; none if it is. */
export async function schemaDifference(orm: MikroORM): Promise<string[]> {
  const sql = await orm.schema.getUpdateSchemaSQL({ wrap: false })
  const statements = sql.split(/;\n+/).map(text => text.trim())
  return statements.filter(text => text !== '' && text !== unknownType)
}

/** A part of another type, which MikroORM doesn't know. */
const unknownType = 'drop type "verification_change_source"'
