import { firstIdAt, timeOfId } from './ids.ts'
import type { Rules, Scope } from './scope.ts'
import { testRetentionDays } from './tenant/test-tenant.policy.ts'

const dayMs = 24 * 60 * 60 * 1000

/** How many days the service keeps verifications that no tenant has a shorter time for. Can have a fraction. */
export function serviceRetentionDays({ verificationRetentionMs }: Rules): number {
  return verificationRetentionMs / dayMs
}

/** How many days after their completion a tenant's verifications are deleted: the shortest of all that apply. */
export function retentionDaysOf(
  tenant: { retentionDays?: number | null | undefined; test: boolean },
  rules: Rules,
): number {
  const own = tenant.retentionDays ?? Number.POSITIVE_INFINITY
  return Math.min(
    own,
    serviceRetentionDays(rules),
    tenant.test ? testRetentionDays : Number.POSITIVE_INFINITY,
  )
}

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
