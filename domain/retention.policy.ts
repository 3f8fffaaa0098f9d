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

/** Audit events before this time have expired, whether they have been deleted yet or not. */
export function auditRetainedFrom({ now, rules }: Pick<Scope, 'now' | 'rules'>): Date {
  return new Date(now.getTime() - rules.auditRetentionMs)
}
