import { jsonOf, type SqlType } from '../database/sql-types.ts'
import type { VerificationStatus } from '../verification-status.ts'
import type { VerificationState } from './verification.policy.ts'

export const changeSources = ['provider', 'tenant', 'service'] as const
export type ChangeSource = (typeof changeSources)[number]

/** An element of `verification.timeline`, of the SQL type `verification_change`, as JSON. */
export interface VerificationChange {
  /** ISO 8601. */
  at: string
  /** The status after the change; for a contradiction, the status that was reported and not applied. */
  status: VerificationStatus
  source: ChangeSource
  /** The provider's event or decision code. */
  code: number | null
  /** The number of the provider's attempt, from 1; null if none was reported. */
  attempt: number | null
  /** False for a late result that contradicts the completed status: recorded, but not applied. */
  applied: boolean
  reason_code: string | null
  /** When the provider decided; recorded for contradictions only, to recognize a repeated one. */
  decided_at: string | null
}

export const timeline: SqlType<VerificationChange[]> = jsonOf<VerificationChange[]>()

/** The column as `VerificationChange[]`, selected from `verification v`. */
export const timelineColumn = `coalesce(to_jsonb(v.timeline), '[]')`

/** The known attempts in the order in which they were first reported: an attempt's number is its position, from 1. */
export function attemptsOf({ pastAttemptIds, attemptId }: AttemptIds): string[] {
  return attemptId === null || pastAttemptIds.includes(attemptId)
    ? pastAttemptIds
    : [...pastAttemptIds, attemptId]
}

type AttemptIds = Pick<VerificationState, 'pastAttemptIds' | 'attemptId'>
