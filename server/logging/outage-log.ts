import type { DomainLog } from '#domain/scope.ts'

const repeatMs = 60_000

/** Logs that a dependency is away: when that begins, every minute, and when it has ended. */
export function createOutageLog(dependency: string, log: DomainLog) {
  let loggedAt: number | undefined
  return {
    /** Called for each attempt that fails. */
    failed(reason: string): void {
      if (loggedAt !== undefined && performance.now() - loggedAt < repeatMs) return
      loggedAt = performance.now()
      log.warn({}, `Waiting for ${dependency}: ${reason}`)
    },
    ended(): void {
      if (loggedAt !== undefined)
        log.info({}, `${dependency[0]!.toUpperCase()}${dependency.slice(1)} is available`)
      loggedAt = undefined
    },
  }
}
