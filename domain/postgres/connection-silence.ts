import type { ServerClient } from './server-client.ts'

interface Heard {
  bytes: number
  /** When something was received last, or the connection was first seen; `performance.now()`. */
  at: number
  /** Since when it owes an answer. */
  waitingSince: number
}

/** Knows how long each of the open connections has received nothing, to an interval. */
export class ConnectionSilence {
  readonly #openClients: ReadonlySet<ServerClient>
  readonly #intervalMs: number
  readonly #heard = new WeakMap<ServerClient, Heard>()

  constructor(openClients: ReadonlySet<ServerClient>, intervalMs: number) {
    this.#openClients = openClients
    this.#intervalMs = intervalMs
  }

  /** Notes which connections have received something; called at each interval. */
  note(now: number): void {
    for (const client of this.#openClients) {
      const known = this.#heard.get(client)
      const bytes = client.receivedBytes
      const isSilent = known?.bytes === bytes
      this.#heard.set(client, {
        bytes,
        at: isSilent ? known.at : now,
        // A statement that was sent on an idle connection has all its time.
        waitingSince: client.isWaiting && isSilent ? known.waitingSince : now,
      })
    }
  }

  /** Gives all statements all their time: after a pause of this process, answers wait to be read. */
  excuse(now: number): void {
    for (const client of this.#openClients) this.#heard.get(client)!.waitingSince = now
  }

  /** The connections on which a statement has been unanswered for longer than this. */
  waitingLongerThan(ms: number, now: number): ServerClient[] {
    return [...this.#openClients].filter(client => now - this.#heard.get(client)!.waitingSince > ms)
  }

  /** The connections that have received nothing since then, or nothing at all. */
  silentSince(since: number, now: number): ServerClient[] {
    this.note(now)
    return [...this.#openClients].filter(client => {
      const { at, bytes } = this.#heard.get(client)!
      // What was received is noted up to two intervals late. A server that has never answered is the silent one.
      return at < since + 2 * this.#intervalMs || (bytes === 0 && at < now - this.#intervalMs)
    })
  }
}
