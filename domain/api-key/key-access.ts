import { Refusal } from '../errors.ts'
import type { ApiKeyScope, RateClass } from './api-key.policy.ts'

/** What a key may do, together with the state of its tenant and plan: all that admission depends on. */
export interface KeyAccess {
  apiKeyId: string
  tenantId: string
  scopes: ApiKeyScope[]
  /** Milliseconds since the epoch; null for never. */
  expiresAtMs: number | null
  enabled: boolean
  provisioned: boolean
  subscriptionActive: boolean
  /** Requests per minute. */
  writeLimit: number
  /** Requests per minute. */
  readLimit: number
}

/**
 * The refusal that a key meets for a scope, or undefined. The order is fixed: key, tenant disabled, tenant
 * not provisioned, scope, subscription.
 */
export function accessRefusal(
  access: KeyAccess | undefined,
  scope: ApiKeyScope,
  now: Date,
): Refusal | undefined {
  if (!access) return new Refusal('UNAUTHENTICATED_TENANT')
  if (access.expiresAtMs !== null && access.expiresAtMs <= now.getTime())
    return new Refusal('UNAUTHENTICATED_TENANT')
  if (!access.enabled) return new Refusal('TENANT_INACTIVE')
  if (!access.provisioned) return new Refusal('TENANT_NOT_PROVISIONED')
  if (!access.scopes.includes(scope)) return new Refusal('FORBIDDEN')
  if (!access.subscriptionActive) return new Refusal('BILLING_INACTIVE')
  return undefined
}

/** Requests per minute that the plan allows the key in a class. */
export function rateLimitOf(access: KeyAccess, rateClass: RateClass): number {
  return rateClass === 'write' ? access.writeLimit : access.readLimit
}
