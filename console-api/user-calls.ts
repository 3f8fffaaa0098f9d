import { FairQueue } from '#domain/fair-queue.ts'
import { type ScopeRequest, whileIdle } from '#domain/scope.ts'
import { type User, userKey } from './authenticate.ts'

/** Calls of one user that a process runs at the same time. Each may hold a connection to the database. */
const runningMax = 4

/** Makes further calls of a user wait for the earlier ones, so that one user can't take the connections of all. */
export class UserCalls {
  readonly #running = new Map<string, number>()
  readonly #waiting = new FairQueue<() => void>()

  async run<Result>(
    of: User,
    request: ScopeRequest | undefined,
    call: () => Promise<Result>,
  ): Promise<Result> {
    const user = userKey(of)
    const running = this.#running.get(user) ?? 0
    if (running < runningMax) this.#running.set(user, running + 1)
    else await whileIdle(request, () => new Promise<void>(begin => this.#waiting.add(user, begin)))
    try {
      return await call()
    } finally {
      this.#end(user)
    }
  }

  /** The next call takes the place of the one that has ended. */
  #end(user: string): void {
    const begin = this.#waiting.nextOf(user)
    const left = this.#running.get(user)! - 1
    if (begin) begin()
    else if (left > 0) this.#running.set(user, left)
    else this.#running.delete(user)
  }
}
