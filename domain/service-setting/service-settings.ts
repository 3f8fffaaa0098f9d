import { text, timestamp } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'

export const setServiceSetting = statement({
  name: 'set-service-setting',
  text: `insert into service_setting as s (name, value, updated_at) values (:name, :value, :now)
   on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at
   where s.value <> excluded.value`,
  values: { name: text, value: text, now: timestamp },
  row: {},
})

export const findServiceSetting = statement({
  name: 'find-service-setting',
  text: 'select value from service_setting where name = :name',
  values: { name: text },
  row: { value: text },
})
