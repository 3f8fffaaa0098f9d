import { firstIdAt, timeOfId } from './ids.ts'
import type { Scope } from './scope.ts'

type RetentionScope = Pick<Scope, 'now' | 'rules'>

/** Verifications created before this time have expired, whether they have been deleted yet or not. */
export function retainedFrom({ now, rules }: RetentionScope): Date {
  return new Date(now.getTime() - rules.verificationRetentionMs)
}

/** The lowest id that a verification can have that has not expired. */
export function firstRetainedId(scope: RetentionScope): string {
  return firstIdAt(retainedFrom(scope))
}

/** Whether a verification has not expired: an expired one is not found, without a look at the database. */
export function isRetained(scope: RetentionScope, verificationId: string): boolean {
  return timeOfId(verificationId) >= retainedFrom(scope)
}

/**
 * The lowest id that an audit event can have that has not expired, whether expired ones have been deleted yet or not; if it is
 * later, that of an event at `from`.
 */
export function firstRetainedAuditId({ now, rules }: RetentionScope, from?: Date): string {
  const retainedFrom = new Date(now.getTime() - rules.auditRetentionMs)
  return firstIdAt(from && from > retainedFrom ? from : retainedFrom)
}
