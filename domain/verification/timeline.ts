import {
  arrayOf,
  enumOf,
  int,
  jsonOf,
  nullable,
  smallint,
  text,
  timestamp,
  uuid,
} from '../database/sql-types.ts'
import type { Scope } from '../scope.ts'
import type { VerificationStatus } from '../verification-status.ts'
import type { LoadedVerification } from './load-verification.ts'
import type { VerificationState, VerificationTrigger } from './verification.policy.ts'

export const changeSources = ['provider', 'service'] as const
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

export const timeline = jsonOf<VerificationChange[]>()

/** The column as `VerificationChange[]`, selected from `verification v`. */
export const timelineColumn = `coalesce(to_jsonb(v.timeline), '[]')`

/** The known attempts in the order in which they were first reported: an attempt's number is its position, from 1. */
export function attemptsOf({ pastAttemptIds, attemptId }: VerificationState): string[] {
  return attemptId === null || pastAttemptIds.includes(attemptId)
    ? pastAttemptIds
    : [...pastAttemptIds, attemptId]
}

/** What every change writes: over which revision, and the timeline entry with what was reported. */
export const changeValues = {
  tenantId: uuid,
  verificationId: uuid,
  /** The revision that the change was decided on. */
  revision: int,
  now: timestamp,
  source: enumOf<ChangeSource>('verification_change_source'),
  /** The number of the reported attempt. */
  attempt: nullable(smallint),
  code: nullable(int),
  reasonCode: nullable(text),
  /** The status after the change. */
  status: enumOf<VerificationStatus>('verification_status'),
  pastAttemptIds: arrayOf(text),
}

/** Those that the trigger determines. `attempts` are the known ones, in their order. */
export function toChangeValues(
  { now }: Scope,
  { tenantId, verificationId, revision }: LoadedVerification,
  trigger: VerificationTrigger,
  attempts: readonly string[],
) {
  const report = trigger.by === 'provider' ? trigger.result : undefined
  return {
    tenantId,
    verificationId,
    revision,
    now,
    source: trigger.by,
    attempt: report?.attemptId ? attempts.indexOf(report.attemptId) + 1 : null,
    code: report?.code ?? null,
    reasonCode: report?.reasonCode ?? null,
    reportedDecidedAt: report?.decidedAt ?? null,
  }
}

/**
 * The assignments that append an entry to the timeline, with the fields of `verification_change` in their order. `v` is the
 * verification, `w` has the values.
 */
export function appendChange(applied: boolean): string {
  const decidedAt = applied ? 'null' : 'w.reported_decided_at'
  return `revision = v.revision + 1, past_attempt_ids = nullif(w.past_attempt_ids::text[], '{}'),
       timeline = v.timeline ||
       row(w.now, w.status, w.source, w.code, w.attempt, ${applied}, w.reason_code, ${decidedAt})::verification_change`
}
