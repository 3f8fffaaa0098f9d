import { setTimeout as wait } from 'node:timers/promises'
import { isDatabaseAway } from '#domain/database/is-database-away.ts'
import { PendingMigrationsError } from '#domain/schema/schema-status.ts'
import type { DomainLog } from '#domain/scope.ts'
import { describeDatabaseError, throwDatabaseStartError } from '../configuration/start-error.ts'
import { createOutageLog } from '../logging/outage-log.ts'

export interface DatabaseWaitOptions {
  log: DomainLog
  /** Called before each wait. */
  onWait: () => Promise<void>
}

export type WaitForDatabase = ReturnType<typeof waitForDatabase>

const pauseMs = 250

/**
 * Returns a function that does work, and again while PostgreSQL is away or its schema is too old. Work must be repeatable.
 * Throws a `StartError` for what waiting doesn't change.
 */
export function waitForDatabase({ log, onWait }: DatabaseWaitOptions) {
  const outage = createOutageLog('PostgreSQL', log)
  const migrations = createOutageLog('the database schema', log)
  function report(error: unknown): void {
    if (error instanceof PendingMigrationsError) {
      outage.ended()
      migrations.failed(error.message)
    } else if (isDatabaseAway(error)) outage.failed(describeDatabaseError(error))
    else throwDatabaseStartError(error)
  }
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (;;) {
      try {
        const result = await work()
        outage.ended()
        migrations.ended()
        return result
      } catch (error) {
        report(error)
      }
      await onWait()
      await wait(pauseMs)
    }
  }
}
