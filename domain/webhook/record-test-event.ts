import { jsonOf, nullable, smallint, text, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'

/**
 * Adds the request of an attempt to the events of its tenant. Throws `DATABASE_ERROR`.
 *
 * The count in the tenant's row is the id, and the lock on the row, which lasts until the commit, gives the ids in the order of
 * the commits: whoever has read up to an id never misses a smaller one that becomes visible later.
 */
export const recordTestEvent = statement({
  name: 'record-test-event',
  text: `with counted as (
     update tenant set test_events = test_events + 1 where id = :tenantId returning test_events
   )
   insert into test_event (tenant_id, id, at, attempt, url, headers, body)
   select :tenantId, test_events, :at, :attempt, :url, :headers, :body from counted`,
  values: {
    tenantId: uuid,
    at: timestamp,
    attempt: smallint,
    url: nullable(text),
    headers: jsonOf<Record<string, string>>(),
    body: text,
  },
  row: {},
})
