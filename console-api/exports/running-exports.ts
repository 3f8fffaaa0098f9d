import { DomainError } from '#domain/errors.ts'
import type { User } from '../authenticate.ts'

/** Exports of one user that a process sends at the same time. */
const runningMax = 2
const retryAfterSeconds = 10

type Exporter = Pick<User, 'issuer' | 'subject'>

/** Counts the exports that this process is sending. By user, so that no member takes those of the others. */
export class RunningExports {
  readonly #byUser = new Map<string, number>()

  /** Throws `RATE_LIMIT_EXCEEDED` if two of the user are running. */
  begin(user: Exporter): void {
    const running = this.#byUser.get(nameOf(user)) ?? 0
    if (running >= runningMax) throw tooMany()
    this.#byUser.set(nameOf(user), running + 1)
  }

  end(user: Exporter): void {
    const left = (this.#byUser.get(nameOf(user)) ?? 1) - 1
    if (left > 0) this.#byUser.set(nameOf(user), left)
    else this.#byUser.delete(nameOf(user))
  }
}

function nameOf({ issuer, subject }: Exporter): string {
  return `${issuer} ${subject}`
}

function tooMany(): DomainError {
  return new DomainError('RATE_LIMIT_EXCEEDED', {
    message: `${runningMax} of your exports are running. Retry when one of them has ended.`,
    details: { retryAfterSeconds },
  })
}
