import { DatabaseSync } from 'node:sqlite'
import { openSqlite } from '../open-sqlite.ts'
import type { Session } from './session.ts'
import type { Delivery } from './webhook/delivery.ts'

/** Sessions end after 7 days, and their webhooks are retried for 7 more. */
const retentionMs = 15 * 86_400_000

const schema = `
  create table if not exists session (
    id text primary key, token text unique, vendor_data text, created_at text, content text
  ) strict;
  create index if not exists session_created_at on session (created_at);
  create index if not exists session_vendor_data on session (vendor_data);
  create table if not exists delivery (
    id text primary key, session_id text references session on delete cascade, content text
  ) strict;
  create index if not exists delivery_session_id on delivery (session_id)`

/** All sessions and their webhook deliveries. What is read is a copy: save it after a change. */
export class SessionStore {
  readonly #database: DatabaseSync

  /** Opens the data file, or a store in memory, and deletes sessions older than 15 days. Throws if it is unusable. */
  constructor(dataFile: string | undefined, now: Date) {
    this.#database = dataFile === undefined ? openInMemory() : openSqlite(dataFile, schema)
    const oldest = new Date(now.getTime() - retentionMs).toISOString()
    this.#database.prepare('delete from session where created_at < ?').run(oldest)
  }

  /** The oldest first, here and below. */
  sessions(): Session[] {
    return this.#read('select content from session order by rowid')
  }

  /** Those created at this time (ISO 8601) or before. */
  sessionsCreatedUntil(time: string): Session[] {
    return this.#read('select content from session where created_at <= ? order by rowid', time)
  }

  byId(id: string): Session | undefined {
    return this.#read<Session>('select content from session where id = ?', id)[0]
  }

  byToken(token: string): Session | undefined {
    return this.#read<Session>('select content from session where token = ?', token)[0]
  }

  /** By the provider's id, or by the integrator's vendorData: then the newest one. */
  find(idOrVendorData: string): Session | undefined {
    const newest = 'select content from session where vendor_data = ? order by rowid desc limit 1'
    return this.byId(idOrVendorData) ?? this.#read<Session>(newest, idOrVendorData)[0]
  }

  deliveries(): Delivery[] {
    return this.#read('select content from delivery order by rowid')
  }

  deliveriesOf({ id }: Session): Delivery[] {
    return this.#read('select content from delivery where session_id = ? order by rowid', id)
  }

  /** Throws if there is none. */
  delivery(id: string): Delivery {
    const [delivery] = this.#read<Delivery>('select content from delivery where id = ?', id)
    if (delivery === undefined) throw new Error(`There is no delivery ${id}.`)
    return delivery
  }

  /** Inserts or updates the session and the deliveries in one transaction. */
  save(session: Session, deliveries: Delivery[] = []): void {
    this.#database.exec('begin')
    try {
      this.#upsertSession(session)
      for (const delivery of deliveries) this.saveDelivery(delivery)
      this.#database.exec('commit')
    } catch (error) {
      this.#database.exec('rollback')
      throw error
    }
  }

  saveDelivery(delivery: Delivery): void {
    this.#database
      .prepare(
        'insert into delivery values (?, ?, ?) on conflict (id) do update set content = excluded.content',
      )
      .run(delivery.id, delivery.sessionId, JSON.stringify(delivery))
  }

  /** With its deliveries. */
  delete({ id }: Session): void {
    this.#database.prepare('delete from session where id = ?').run(id)
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }

  #upsertSession(session: Session): void {
    const { id, token, vendorData, createdAt } = session
    this.#database
      .prepare(
        'insert into session values (?, ?, ?, ?, ?) on conflict (id) do update set content = excluded.content',
      )
      .run(id, token, vendorData, createdAt, JSON.stringify(session))
  }

  #read<Row>(sql: string, ...parameters: string[]): Row[] {
    const rows = this.#database.prepare(sql).all(...parameters) as { content: string }[]
    return rows.map(({ content }) => JSON.parse(content))
  }
}

function openInMemory(): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  database.exec(schema)
  return database
}
