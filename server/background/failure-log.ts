import type { DomainLog } from '#domain/scope.ts'

export type FailureLog = ReturnType<typeof createFailureLog>

/** Logs that a task which is repeated begins to fail, and that it succeeds again, once each. */
export function createFailureLog(log: DomainLog, task: string) {
  let isFailing = false
  return {
    failed(error: unknown): void {
      if (!isFailing) log.warn({ task, err: error }, 'Background task failed; retrying')
      isFailing = true
    },
    succeeded(): void {
      if (isFailing) log.info({ task }, 'Background task recovered')
      isFailing = false
    },
  }
}
