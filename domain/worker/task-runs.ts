import { text, timestamp } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'

/** When a task of the workers last succeeded, in any process. */
export interface TaskRun {
  task: string
  at: Date
}

/** Records that a task has succeeded, which is how other processes know that a worker runs; the value is PostgreSQL's time. */
export const recordTaskRun = statement({
  name: 'record-task-run',
  text: `insert into service_setting as s (name, value, updated_at) values ('task: ' || :task, clock_timestamp(), :now)
   on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`,
  values: { task: text, now: timestamp },
  row: {},
})

/** One for each task that has ever succeeded. */
export const listTaskRuns = statement({
  name: 'list-task-runs',
  text: `select substr(name, 7) as task, updated_at as at from service_setting where name like 'task: %'`,
  values: {},
  row: { task: text, at: timestamp },
})
