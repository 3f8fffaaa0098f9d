import { DomainError } from '#domain/errors.ts'

/** Exports of one tenant that a process sends at the same time. */
const runningMax = 2
const retryAfterSeconds = 10

/** Counts the exports that this process is sending. */
export class RunningExports {
  readonly #byTenant = new Map<string, number>()

  /** Throws `RATE_LIMIT_EXCEEDED` if two of the tenant are running. */
  begin(tenantId: string): void {
    const running = this.#byTenant.get(tenantId) ?? 0
    if (running >= runningMax) throw tooMany()
    this.#byTenant.set(tenantId, running + 1)
  }

  end(tenantId: string): void {
    const left = (this.#byTenant.get(tenantId) ?? 1) - 1
    if (left > 0) this.#byTenant.set(tenantId, left)
    else this.#byTenant.delete(tenantId)
  }
}

function tooMany(): DomainError {
  return new DomainError('RATE_LIMIT_EXCEEDED', {
    message: `${runningMax} exports of this tenant are running. Retry when one of them has ended.`,
    details: { retryAfterSeconds },
  })
}
