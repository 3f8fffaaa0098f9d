import type { Scope } from '../scope.ts'
import { Plan } from './plan.entity.ts'

/** Creates the default plan if it is missing; one that an operator has changed stays as it is. */
export async function ensureDefaultPlan(scope: Scope): Promise<void> {
  // In a fork: an upsert would overwrite a plan that the unit of work has already loaded.
  await scope.em.fork().upsert(Plan, defaultPlan, { onConflictAction: 'ignore', onConflictFields: ['name'] })
}

/** Rate limits per minute and key; quotas per UTC month and tenant. */
export const defaultPlan = {
  name: 'default',
  rateLimitPerMinute: 60,
  readRateLimitPerMinute: 6_000,
  monthlyQuota: 10_000,
  hardLimit: 20_000,
  overage: false,
}
