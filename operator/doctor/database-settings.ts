import type { Client } from 'pg'
import { sessionSettings } from '#domain/postgres/index.ts'
import { poolSettings, statementTimeoutMs } from '#domain/schema/orm.config.ts'
import { describeEncoding } from '#domain/schema/schema-status.ts'
import { Fault } from './check.ts'

/** What a connection can't set for itself, and what it means where it differs. */
const ofServer: Record<string, [value: string, meaning: string]> = {
  session_replication_role: ['origin', 'no trigger and no foreign key has an effect'],
  zero_damaged_pages: ['off', 'damaged rows are deleted without a word'],
  ignore_checksum_failure: ['off', 'damaged rows are read as if they were whole'],
}

/** What PgBouncer itself gives to each of its client's transactions. */
const keptByPooler = ['DateStyle', 'IntervalStyle', 'TimeZone', 'standard_conforming_strings']

/** What has to come from the role where a pooler in transaction mode keeps nothing that a connection sets. */
const ofRole = Object.entries({
  ...sessionSettings,
  ...poolSettings,
  statement_timeout: String(statementTimeoutMs),
}).filter(([name]) => !keptByPooler.includes(name))

interface SettingsOptions {
  /** Whether connections keep what they set: not behind a pooler in transaction mode. */
  keepsSession: boolean
}

/** Throws a `Fault` for an encoding or settings with which values are lost, changed or refused. */
export async function describeSettings(client: Client, { keepsSession }: SettingsOptions): Promise<string> {
  const { rows } = await client.query<{ name: string; value: string }>(
    'select name, reset_val as value from pg_settings',
  )
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  const encoding = values.get('server_encoding') ?? 'unknown'
  const problems = [
    describeEncoding({ database: client.database ?? '', encoding }) ?? [],
    describeServer(values),
    keepsSession ? [] : describeRole(values, client.user ?? 'NAME'),
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

function describeRole(values: ReadonlyMap<string, string>, role: string): string[] {
  const different = ofRole.filter(([name, value]) => (values.get(name) ?? value) !== value)
  if (different.length === 0) return []
  const statements = different.map(([name, value]) => `alter role ${role} set ${name} = '${value}'`)
  return [`behind this pooler the role lacks settings of the service: ${statements.join('; ')}`]
}
