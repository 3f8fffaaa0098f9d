import { queryIn } from '../server/query-in.ts'

/**
 * Settings that a database, or a role in it, can give to its connections, each with a value that changes how values are written
 * or read, how transactions behave, or what is planned. Limits of time leave a new connection the time to set its own.
 */
export const hostileSettings: Record<string, string> = {
  datestyle: 'SQL, DMY',
  timezone: 'Asia/Kathmandu',
  intervalstyle: 'sql_standard',
  client_encoding: 'LATIN1',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  array_nulls: 'off',
  xmloption: 'document',
  standard_conforming_strings: 'off',
  backslash_quote: 'on',
  escape_string_warning: 'off',
  transform_null_equals: 'on',
  quote_all_identifiers: 'on',
  client_min_messages: 'debug1',
  exit_on_error: 'on',
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
  idle_in_transaction_session_timeout: '100ms',
  idle_session_timeout: '2s',
  transaction_timeout: '1s',
  statement_timeout: '1s',
  lock_timeout: '100ms',
  synchronous_commit: 'off',
  check_function_bodies: 'off',
  row_security: 'off',
  default_text_search_config: 'pg_catalog.german',
  lc_messages: 'C',
  lc_time: 'C',
  enable_indexscan: 'off',
  enable_bitmapscan: 'off',
  enable_nestloop: 'off',
  enable_hashjoin: 'off',
  jit: 'on',
  jit_above_cost: '0',
}

/** Half of them on the database, the others on the role in it, which count more. */
export async function makeHostile(url: string): Promise<void> {
  const database = new URL(url).pathname.slice(1)
  for (const [index, [name, value]] of Object.entries(hostileSettings).entries()) {
    const owner = index % 2 === 0 ? `database ${database}` : `role current_user in database ${database}`
    await queryIn(url, `alter ${owner} set ${name} = '${value}'`)
  }
}
