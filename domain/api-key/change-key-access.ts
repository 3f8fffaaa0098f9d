import type { EntityManager } from '@mikro-orm/postgresql'
import { transaction } from '../database/transaction.ts'
import type { Scope } from '../scope.ts'

/** Whose cached keys a change makes stale. */
export type StaleKeys = { tenantId: string } | { planName: string }

/**
 * Runs a transaction that changes what API keys may do. When this returns, the change is in effect in every process.
 * Throws before the change if running services cache keys where this process cannot invalidate them.
 */
export async function changeKeyAccess<Result>(
  scope: Scope,
  stale: StaleKeys,
  work: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  const { keyCache, now } = scope
  await keyCache.assertReachable()
  const result = await transaction(scope, work)
  await ('planName' in stale
    ? keyCache.invalidatePlan(stale.planName, now)
    : keyCache.invalidateTenant(stale.tenantId, now))
  return result
}
