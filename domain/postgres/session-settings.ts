import { assertWritable, type Connection } from './server-role.ts'

/**
 * What each connection sets for itself, whatever the server, the database or the role would give it: how values are written
 * and read, how transactions behave, and what would end them early. In the units of `pg_settings`.
 */
const sessionSettings = {
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  array_nulls: 'on',
  // Functions in the database have regular expressions, whose backslashes would be dropped.
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  quote_all_identifiers: 'off',
  client_min_messages: 'notice',
  exit_on_error: 'off',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  idle_in_transaction_session_timeout: '60000',
  idle_session_timeout: '0',
  // Since PostgreSQL 17.
  transaction_timeout: '0',
} as const

/** `off` would lose what was acknowledged. Its other values are the operator's choice. */
const commitDurably = `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`

/** Sets all of it. */
export const setSession = `${setSettings(sessionSettings)}; ${commitDurably}`

/** Prepares a new connection, also with further statements. Throws a `ServerRoleError`, as `assertWritable` does. */
export async function prepareSession(connection: Connection, statements = ''): Promise<void> {
  await connection.query(`${setSession}; ${statements}`)
  await assertWritable(connection)
}

/** The statement that sets them for the session. What an older server doesn't know is left out. */
export function setSettings(settings: Record<string, string>): string {
  const values = Object.entries(settings).map(([name, value]) => `('${name}', '${value}')`)
  return `select set_config(name, value, false) from (values ${values.join()}) as given (name, value)
    where current_setting(name, true) is not null`
}
