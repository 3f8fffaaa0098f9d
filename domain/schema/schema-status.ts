import { migrationList } from './migration-list.ts'
import { compareVersions, programVersion } from './program-version.ts'
import { oldestProgramSetting } from './schema-migration.ts'

/** A connection or a pool of `pg`. */
export interface Queryable {
  query(text: string): Promise<{ rows: unknown[] }>
}

/** The schema of the database does not fit this program. The message is one line that names what to do. */
export class SchemaError extends Error {
  override name = 'SchemaError'
}

/** Migrations have to be applied before this program can run. */
export class PendingMigrationsError extends SchemaError {
  override name = 'PendingMigrationsError'
}

export interface SchemaStatus {
  database: string
  /** Of the database's texts, such as `UTF8`. */
  encoding: string
  /** Where the tables are: the first existing schema of the connection's `search_path`. */
  schema: string
  /** Applied migrations, in the order of their application. */
  applied: string[]
  /** Known to this program but not applied, in the order in which they would be applied. */
  pending: string[]
  /** Applied by a newer program, and unknown to this one. */
  newer: string[]
  /** The oldest version of the program that can run on the schema; null if no migration has stored one. */
  oldestProgram: string | null
}

/** The names of the migrations of this program, oldest first. */
export function knownMigrations(): string[] {
  return migrationList.map(({ name }) => name)
}

/** Only reads. Throws a `SchemaError` if there is no schema. */
export async function readSchemaStatus(
  connection: Queryable,
  known: readonly string[] = knownMigrations(),
): Promise<SchemaStatus> {
  const { schema, migrations, settings, ...server } = await locate(connection)
  if (schema === null) {
    throw new SchemaError(
      'DATABASE_URL: the search_path of the connection names no schema that exists; create the schema, or change the search_path',
    )
  }
  const rows = migrations === null ? [] : await readApplied(connection, migrations, settings)
  const applied = rows.map(({ name }) => name)
  return {
    ...server,
    schema,
    applied,
    pending: known.filter(name => !applied.includes(name)),
    newer: applied.filter(name => !known.includes(name)),
    oldestProgram: rows[0]?.oldestProgram ?? null,
  }
}

/** Throws a `SchemaError` if the schema is newer than this program, and does not allow it. */
export function assertProgramAllowed(status: SchemaStatus): void {
  const reason = describeRefusal(status)
  if (reason !== undefined) throw new SchemaError(reason)
}

/** Why this program is too old for the schema, and which is not; undefined if it can run on it. */
export function describeRefusal({ newer, oldestProgram }: SchemaStatus): string | undefined {
  if (newer.length === 0) return undefined
  const unknown = `which does not know ${newer.join(', ')}`
  if (oldestProgram === null) {
    return `The database schema is newer than this program, ${unknown}: use the version that applied it, or a newer one`
  }
  if (compareVersions(programVersion, oldestProgram) >= 0) return undefined
  return `The database schema needs at least version ${oldestProgram} of this program; this is ${programVersion}, ${unknown}`
}

/** Throws a `SchemaError` if this program can't run on the schema: it is too old, or migrations are pending (`PendingMigrationsError`). */
export async function assertSchemaFits(connection: Queryable): Promise<void> {
  const status = await readSchemaStatus(connection)
  assertProgramAllowed(status)
  const { pending } = status
  if (pending.length === 0) return
  throw new PendingMigrationsError(
    `The database schema is older than this program; pending: ${pending.join(', ')}. Apply with: operator database migrate`,
  )
}

/** Why the texts of the database can't hold every name; undefined if they can. */
export function describeEncoding({
  database,
  encoding,
}: Pick<SchemaStatus, 'database' | 'encoding'>): string | undefined {
  if (encoding === 'UTF8') return undefined
  return (
    `DATABASE_URL: the database ${database} has the encoding ${encoding}, in which not every text can be stored: use one made ` +
    `with create database NAME encoding 'UTF8' locale 'C' template template0, and restore a pg_dump of this one if it has data`
  )
}

/** Throws a `SchemaError` if the database isn't in UTF8. */
export function assertEncoding(status: SchemaStatus): void {
  const reason = describeEncoding(status)
  if (reason !== undefined) throw new SchemaError(reason)
}

interface Location {
  database: string
  encoding: string
  schema: string | null
  /** The qualified and quoted names of the tables of applied migrations and of settings; null where they don't exist. */
  migrations: string | null
  settings: string | null
}

async function locate(connection: Queryable): Promise<Location> {
  const table = (name: string) => `(
     select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = current_schema() and c.relname = '${name}'
   )`
  const { rows } = await connection.query(
    `select current_database()::text as database, current_setting('server_encoding') as encoding,
       current_schema()::text as schema, ${table('mikro_orm_migrations')} as migrations,
       ${table('service_setting')} as settings`,
  )
  return rows[0] as Location
}

interface AppliedMigration {
  name: string
  /** The same for all. */
  oldestProgram: string | null
}

async function readApplied(
  connection: Queryable,
  migrations: string,
  settings: string | null,
): Promise<AppliedMigration[]> {
  const stored = settings && `select value from ${settings} where name = '${oldestProgramSetting}'`
  const { rows } = await connection.query(
    `select name, (${stored ?? 'null'}) as "oldestProgram" from ${migrations} order by id`,
  )
  return rows as AppliedMigration[]
}
