import type { Client } from 'pg'
import { describeEncoding } from '#domain/schema/schema-status.ts'
import { Fault } from './check.ts'

/** What a connection can't set for itself, and what it means where it differs. */
const ofServer: Record<string, [value: string, meaning: string]> = {
  session_replication_role: ['origin', 'no trigger and no foreign key has an effect'],
  zero_damaged_pages: ['off', 'damaged rows are deleted without a word'],
  ignore_checksum_failure: ['off', 'damaged rows are read as if they were whole'],
}

/** Throws a `Fault` for an encoding or settings with which values are lost, changed or refused. */
export async function describeSettings(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string; value: string }>(
    'select name, reset_val as value from pg_settings',
  )
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  const encoding = values.get('server_encoding') ?? 'unknown'
  const problems = [
    describeEncoding({ database: client.database ?? '', encoding }) ?? [],
    describeServer(values),
    await describeCollation(client),
  ].flat()
  if (problems.length > 0) throw new Fault(problems.join('; '))
  const durability =
    values.get('fsync') === 'off'
      ? '; fsync is off: a crash of the machine can lose or damage everything'
      : ''
  return `encoding ${encoding}; each connection sets how values are written, and its time limits${durability}`
}

function describeServer(values: ReadonlyMap<string, string>): string[] {
  return Object.entries(ofServer).flatMap(([name, [value, meaning]]) => {
    const given = values.get(name)
    return given === undefined || given === value ? [] : `${name} is ${given}: ${meaning}; set it to ${value}`
  })
}

/** After an upgrade of the system's library, indexes of texts may be in an order that no longer counts. */
async function describeCollation(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; made: string; actual: string }>(
    `select name, made, actual from pg_database, pg_database_collation_actual_version(oid) as actual,
       concat(datcollversion) as made, quote_ident(datname) as name
     where datname = current_database() and made <> actual`,
  )
  return rows.map(
    ({ name, made, actual }) =>
      `the database was made with version ${made} of its collation, and the system has ${actual}, so indexes may miss rows: reindex database ${name}; alter database ${name} refresh collation version`,
  )
}
