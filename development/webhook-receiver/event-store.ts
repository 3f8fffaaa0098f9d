import { openSqlite } from '../open-sqlite.ts'

/** A webhook event as it was received. */
export interface StoredEvent {
  /** ISO 8601. */
  receivedAt: string
  /** Whether it was signed with one of the tenant's secrets. */
  signature: 'valid' | 'invalid'
  /** The `x-webhook-*` headers, their names in lower case. */
  headers: Record<string, string>
  /** The body as JSON; null if it is not JSON. */
  body: unknown
  /** The raw body that was signed, as UTF-8. */
  raw: string
}

export type EventStore = ReturnType<typeof openEventStore>

const eventsMax = 200

/** The last 200 events, in a file. Throws if it cannot be used. */
export function openEventStore(file: string) {
  const columns = 'id integer primary key, content text not null'
  const database = openSqlite(file, `create table if not exists event (${columns}) strict`)
  return {
    newestFirst(): StoredEvent[] {
      const rows = database.prepare('select content from event order by id desc').all()
      return rows.map(({ content }) => JSON.parse(String(content)))
    },
    add(event: StoredEvent): void {
      const insert = database.prepare('insert into event (content) values (?)')
      const { lastInsertRowid } = insert.run(JSON.stringify(event))
      database.prepare('delete from event where id <= ?').run(Number(lastInsertRowid) - eventsMax)
    },
    close: () => database.close(),
  }
}
