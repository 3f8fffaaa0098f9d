import { type DomainLog, whileIdle } from '#domain/scope.ts'
import type { User } from './authenticate.ts'

/** Calls of one user that a process runs at the same time. Each may hold a connection to the database. */
const runningMax = 4

interface Calls {
  running: number
  /** Begins the next call. */
  waiting: (() => void)[]
}

/** Makes further calls of a user wait for the earlier ones, so that one user can't take the connections of all. */
export class UserCalls {
  readonly #byUser = new Map<string, Calls>()

  async run<Result>({ issuer, subject }: User, log: DomainLog, call: () => Promise<Result>): Promise<Result> {
    const user = `${issuer} ${subject}`
    const calls = this.#byUser.get(user) ?? { running: 0, waiting: [] }
    this.#byUser.set(user, calls)
    if (calls.running < runningMax) calls.running += 1
    else await whileIdle(log, () => new Promise<void>(begin => calls.waiting.push(begin)))
    try {
      return await call()
    } finally {
      this.#end(user, calls)
    }
  }

  /** The next call takes the place of the one that has ended. */
  #end(user: string, calls: Calls): void {
    const begin = calls.waiting.shift()
    if (begin) begin()
    else calls.running -= 1
    if (calls.running === 0) this.#byUser.delete(user)
  }
}
