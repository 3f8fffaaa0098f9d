import { type ScopeRequest, whileIdle } from '../scope.ts'
import { FairQueue } from './fair-queue.ts'

/** Calls of one client that a process runs at the same time. Each may hold a connection to the database. */
const runningMax = 4

/** Makes further calls of a client wait for the earlier ones, so that one client can't take the connections of all. */
export class ClientCalls {
  readonly #running = new Map<string, number>()
  readonly #waiting = new FairQueue<() => void>()

  async run<Result>(
    client: string,
    request: ScopeRequest | undefined,
    call: () => Promise<Result>,
  ): Promise<Result> {
    const running = this.#running.get(client) ?? 0
    if (running < runningMax) this.#running.set(client, running + 1)
    else await whileIdle(request, () => new Promise<void>(begin => this.#waiting.add(client, begin)))
    try {
      return await call()
    } finally {
      this.#end(client)
    }
  }

  /** The next call takes the place of the one that has ended. */
  #end(client: string): void {
    const begin = this.#waiting.nextOf(client)
    const left = this.#running.get(client)! - 1
    if (begin) begin()
    else if (left > 0) this.#running.set(client, left)
    else this.#running.delete(client)
  }
}
