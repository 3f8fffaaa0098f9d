import { migrationList } from './migration-list.ts'

/** A connection or a pool of `pg`. */
export interface Queryable {
  query(text: string): Promise<{ rows: unknown[] }>
}

/** The schema of the database does not fit this program. The message is one line that names what to do. */
export class SchemaError extends Error {
  override name = 'SchemaError'
}

export interface SchemaStatus {
  /** Where the tables are: the first existing schema of the connection's `search_path`. */
  schema: string
  /** Applied migrations, in the order of their application. */
  applied: string[]
  /** Known to this program but not applied, in the order in which they would be applied. */
  pending: string[]
}

/** The names of the migrations of this program, oldest first. */
export function knownMigrations(): string[] {
  return migrationList.map(({ name }) => name)
}

/** Only reads. Throws a `SchemaError` if there is no schema, or if it is newer than the program. */
export async function readSchemaStatus(
  connection: Queryable,
  known: readonly string[] = knownMigrations(),
): Promise<SchemaStatus> {
  const { schema, table } = await locate(connection)
  if (schema === null) {
    throw new SchemaError(
      'DATABASE_URL: the search_path of the connection names no schema that exists; create the schema, or change the search_path',
    )
  }
  const applied = table === null ? [] : await readNames(connection, table)
  const unknown = applied.filter(name => !known.includes(name))
  if (unknown.length > 0) {
    throw new SchemaError(
      `The database schema is newer than this program, which does not know ${unknown.join(', ')}: use the version that applied it, or a newer one`,
    )
  }
  return { schema, applied, pending: known.filter(name => !applied.includes(name)) }
}

/** Throws a `SchemaError` if the schema is not exactly the one that this program needs. */
export async function assertSchemaCurrent(connection: Queryable): Promise<void> {
  const { pending } = await readSchemaStatus(connection)
  if (pending.length === 0) return
  throw new SchemaError(
    `The database schema is older than this program; pending: ${pending.join(', ')}. Apply with: npm run operator -- database migrate`,
  )
}

interface Location {
  schema: string | null
  /** The qualified and quoted name of the table of applied migrations; null if it doesn't exist. */
  table: string | null
}

async function locate(connection: Queryable): Promise<Location> {
  const { rows } = await connection.query(
    `select current_schema()::text as schema, (
       select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = current_schema() and c.relname = 'mikro_orm_migrations'
     ) as table`,
  )
  return rows[0] as Location
}

async function readNames(connection: Queryable, table: string): Promise<string[]> {
  const { rows } = await connection.query(`select name from ${table} order by id`)
  return (rows as { name: string }[]).map(({ name }) => name)
}
