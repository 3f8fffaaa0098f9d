import type { Delivery } from '../webhook/delivery.ts'
import { type Journal, noJournal, openJournal } from './journal.ts'
import type { Session } from './session.ts'

type StoredRecord = { session: Session } | { delivery: Delivery }

/** Sessions end after 7 days, and their webhooks are tried for 7 days more. */
const keptDays = 15

/** All sessions and their webhooks, in memory and in the data file. */
export class SessionStore {
  readonly sessions = new Map<string, Session>()
  readonly deliveries = new Map<string, Delivery>()
  readonly #byToken = new Map<string, Session>()
  /** The newest session of each. */
  readonly #byVendorData = new Map<string, Session>()
  readonly #deliveriesOf = new Map<string, Delivery[]>()
  #journal: Journal = noJournal

  static async open(dataFile: string | undefined, now: Date): Promise<SessionStore> {
    const store = new SessionStore()
    if (dataFile !== undefined) {
      store.#journal = await openJournal(dataFile, records => store.#settle(records as StoredRecord[], now))
    }
    return store
  }

  byToken(token: string): Session | undefined {
    return this.#byToken.get(token)
  }

  /** By the provider's id, or by what the integrator calls it: then the newest. */
  find(idOrVendorData: string): Session | undefined {
    return this.sessions.get(idOrVendorData) ?? this.#byVendorData.get(idOrVendorData)
  }

  /** The oldest first. */
  deliveriesOf(session: Session): Delivery[] {
    return this.#deliveriesOf.get(session.id) ?? []
  }

  saveSession(session: Session): Promise<void> {
    this.#indexSession(session)
    return this.#journal.append({ session } satisfies StoredRecord)
  }

  saveDelivery(delivery: Delivery): Promise<void> {
    this.#indexDelivery(delivery)
    return this.#journal.append({ delivery } satisfies StoredRecord)
  }

  close(): Promise<void> {
    return this.#journal.close()
  }

  #indexSession(session: Session): void {
    this.sessions.set(session.id, session)
    this.#byToken.set(session.token, session)
    if (session.vendorData !== null) this.#byVendorData.set(session.vendorData, session)
  }

  #indexDelivery(delivery: Delivery): void {
    if (!this.deliveries.has(delivery.id)) {
      const earlier = this.#deliveriesOf.get(delivery.sessionId) ?? []
      this.#deliveriesOf.set(delivery.sessionId, [...earlier, delivery])
    }
    this.deliveries.set(delivery.id, delivery)
  }

  #settle(records: StoredRecord[], now: Date): StoredRecord[] {
    const oldest = new Date(now.getTime() - keptDays * 86_400_000).toISOString()
    const sessions = new Map<string, Session>()
    const deliveries = new Map<string, Delivery>()
    for (const record of records) {
      if ('session' in record) sessions.set(record.session.id, record.session)
      else deliveries.set(record.delivery.id, record.delivery)
    }
    for (const session of sessions.values()) if (session.createdAt >= oldest) this.#indexSession(session)
    for (const delivery of deliveries.values()) {
      if (this.sessions.has(delivery.sessionId)) this.#indexDelivery(delivery)
    }
    return [
      ...[...this.sessions.values()].map(session => ({ session })),
      ...[...this.deliveries.values()].map(delivery => ({ delivery })),
    ]
  }
}
