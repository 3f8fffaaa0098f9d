import { double, int, nullable, text } from './sql-types.ts'
import { statement } from './statement.ts'

/**
 * The session of this database that has written first in a transaction that is still open; none if there is none. `seconds`: how
 * long it is open; null where the role may not see that, which comes first.
 */
export const findOldestWriter = statement({
  name: 'find-oldest-writer',
  text: `select pid, usename::text as role, application_name as application,
     extract(epoch from clock_timestamp() - xact_start)::float8 as seconds
   from pg_stat_activity
   where datname = current_database() and backend_xid is not null and pid <> pg_backend_pid()
   order by xact_start nulls first limit 1`,
  values: {},
  row: { pid: int, role: text, application: text, seconds: nullable(double) },
})
