import type { Scope } from '../scope.ts'

/** Audit events before this time have expired, whether they have been deleted yet or not. */
export function auditRetainedFrom({ now, rules }: Pick<Scope, 'now' | 'rules'>): Date {
  return new Date(now.getTime() - rules.auditRetentionMs)
}
