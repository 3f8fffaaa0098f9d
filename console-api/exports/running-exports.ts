import { DomainError } from '#domain/errors.ts'

/** Exports of one user that a process sends at the same time. */
const runningMax = 2
const retryAfterSeconds = 10

/** Counts the exports that this process is sending. By user, so that no member takes those of the others. */
export class RunningExports {
  readonly #byUser = new Map<string, number>()

  /** Throws `RATE_LIMIT_EXCEEDED` if two of the user are running. */
  begin(user: string): void {
    const running = this.#byUser.get(user) ?? 0
    if (running >= runningMax) throw tooMany()
    this.#byUser.set(user, running + 1)
  }

  end(user: string): void {
    const left = (this.#byUser.get(user) ?? 1) - 1
    if (left > 0) this.#byUser.set(user, left)
    else this.#byUser.delete(user)
  }
}

function tooMany(): DomainError {
  return new DomainError('RATE_LIMIT_EXCEEDED', {
    message: `${runningMax} of your exports are running. Retry when one of them has ended.`,
    details: { retryAfterSeconds },
  })
}
