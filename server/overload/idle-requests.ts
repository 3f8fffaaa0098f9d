import type { ServerResponse } from 'node:http'

/** The requests of a process that wait for somebody else: their body, the provider, or an event. They are no load. */
export class IdleRequests {
  readonly #idle = new Set<ServerResponse>()

  get count(): number {
    return this.#idle.size
  }

  /** The request of a client that has disconnected never counts. */
  begin(response: ServerResponse): void {
    if (response.closed || this.#idle.has(response)) return
    this.#idle.add(response)
    response.once('close', () => this.#idle.delete(response))
  }

  end(response: ServerResponse): void {
    this.#idle.delete(response)
  }
}
