import type { EntityManager } from '@mikro-orm/postgresql'
import { transaction } from './database/transaction.ts'
import { DomainError } from './errors.ts'
import type { Scope, TenantScope } from './scope.ts'
import { lockTenant } from './tenant/find-tenant.ts'
import type { Tenant } from './tenant/tenant.entity.ts'
import { toDomainError } from './to-domain-error.ts'

export interface AccessChange {
  /** The sentence, without its end, that says what has been changed. */
  done: string
  /** What to do if the caches could not be invalidated. */
  remedy?: string
}

/** Changes what the keys of the acting tenant may do, which is locked meanwhile. Otherwise as `changeKeyAccess`. */
export async function changeTenantAccess<Result>(
  scope: TenantScope,
  change: AccessChange,
  work: (em: EntityManager, tenant: Tenant) => Promise<Result>,
): Promise<Result> {
  const { tenantId } = scope.actor
  return await changeKeyAccess(scope, { tenantId, ...change }, async em => {
    return await work(em, await lockTenant(scope, em))
  })
}

/** Whose cached keys a change makes stale. */
type StaleKeys = { tenantId: string } | { planName: string }

/**
 * Runs a transaction that changes what API keys may do. When this returns, the change is in effect in every process.
 * Throws before the change if running services cache keys where this process cannot invalidate them, and `REDIS_ERROR` if
 * the change was made but could not be announced: cached keys are then used for up to 60 seconds.
 */
export async function changeKeyAccess<Result>(
  scope: Scope,
  change: AccessChange & StaleKeys,
  work: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  const { keyCache, now } = scope
  await keyCache.assertReachable()
  const result = await transaction(scope, work)
  try {
    await ('planName' in change
      ? keyCache.invalidatePlan(change.planName, now)
      : keyCache.invalidateTenant(change.tenantId, now))
  } catch (error) {
    const { done, remedy = 'Repeat this to inform them.' } = change
    throw new DomainError('REDIS_ERROR', {
      message: `${done}, but the services could not be informed: they may accept keys as before for up to 60 seconds. ${remedy}`,
      cause: toDomainError(error).cause ?? error,
    })
  }
  return result
}
