import type { DatabaseSync } from 'node:sqlite'
import { openSqlite } from '../open-sqlite.ts'
import type { Session } from './session.ts'
import type { Delivery } from './webhook/delivery.ts'

const schema = 'create table if not exists session (id text primary key, content text) strict'
const upsert =
  'insert into session (id, content) values (?, ?) on conflict (id) do update set content = excluded.content'

/** All sessions with their webhook deliveries, the oldest first. With a data file, the next start has what was saved. */
export class SessionStore {
  readonly #sessions = new Map<string, Session>()
  readonly #file: DatabaseSync | undefined

  /** Throws if the data file is unusable. */
  constructor(dataFile: string | undefined) {
    this.#file = dataFile === undefined ? undefined : openSqlite(dataFile, schema)
    const rows = this.#file?.prepare('select content from session order by rowid').all() ?? []
    for (const { content } of rows) {
      // Older files have the deliveries in a table of their own: those decisions can be polled.
      const session: Session = { deliveries: [], ...JSON.parse(String(content)) }
      this.#sessions.set(session.id, session)
    }
  }

  sessions(): Session[] {
    return [...this.#sessions.values()]
  }

  deliveries(): Delivery[] {
    return this.sessions().flatMap(session => session.deliveries)
  }

  byId(id: string): Session | undefined {
    return this.#sessions.get(id)
  }

  byToken(token: string): Session | undefined {
    return this.sessions().find(session => session.token === token)
  }

  /** By the provider's id, or by the integrator's vendorData: then the newest one. */
  find(idOrVendorData: string): Session | undefined {
    return this.byId(idOrVendorData) ?? this.sessions().findLast(one => one.vendorData === idOrVendorData)
  }

  save(session: Session): void {
    this.#sessions.set(session.id, session)
    this.#file?.prepare(upsert).run(session.id, JSON.stringify(session))
  }

  delete({ id }: Session): void {
    this.#sessions.delete(id)
    this.#file?.prepare('delete from session where id = ?').run(id)
  }

  close(): void {
    this.#file?.close()
  }
}
