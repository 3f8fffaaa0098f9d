import type { StatementPool } from '#domain/database/statement.ts'
import { inspectSessionDeletions } from '#domain/deletion/inspect-session-deletions.ts'
import { Fault } from './check.ts'
import { describeTime } from './describe-time.ts'

/** For how long a session may wait for its deletion. */
const waitSecondsMax = 3 * 24 * 60 * 60

/** Throws a `Fault` if the identity provider keeps sessions of erased verifications. */
export async function describeDeletions(pool: StatementPool, now: Date): Promise<string> {
  const { waiting, oldestQueuedAt, rejection } = await inspectSessionDeletions(pool, { now })
  if (!oldestQueuedAt) return 'no session of an erased verification waits at the identity provider'
  const seconds = (now.getTime() - oldestQueuedAt.getTime()) / 1_000
  const state = `${waiting} of erased verifications wait at the identity provider, the oldest for ${describeTime(seconds)}`
  if (rejection === 'not_enabled')
    throw new Fault(`${state}: have it enable the deletion of sessions for the integration`)
  if (seconds > waitSecondsMax)
    throw new Fault(`${state}: it deletes ten a day; the log of the worker says more`)
  return state
}
