import type { DatabaseSync } from 'node:sqlite'
import { openSqlite } from '../open-sqlite.ts'

/** A webhook event as it was received. */
export interface ReceivedEvent {
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

const eventsMax = 200

/** The last 200 events. */
export class EventStore {
  readonly #database: DatabaseSync

  /** Throws if the file cannot be used. */
  constructor(file: string) {
    this.#database = openSqlite(
      file,
      'create table if not exists event (id integer primary key, content text not null) strict',
    )
  }

  newestFirst(): ReceivedEvent[] {
    const rows = this.#database.prepare('select content from event order by id desc').all()
    return (rows as { content: string }[]).map(({ content }) => JSON.parse(content))
  }

  add(event: ReceivedEvent): void {
    const insert = this.#database.prepare('insert into event (content) values (?)')
    const { lastInsertRowid } = insert.run(JSON.stringify(event))
    this.#database.prepare('delete from event where id <= ?').run(Number(lastInsertRowid) - eventsMax)
  }

  close(): void {
    this.#database.close()
  }
}
