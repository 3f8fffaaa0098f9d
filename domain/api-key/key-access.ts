import { DomainError } from '../errors.ts'
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
export function admissionError(
  access: KeyAccess | undefined,
  scope: ApiKeyScope,
  now: Date,
): DomainError | undefined {
  if (!access) return new DomainError('UNAUTHENTICATED_TENANT')
  if (access.expiresAtMs !== null && access.expiresAtMs <= now.getTime())
    return new DomainError('UNAUTHENTICATED_TENANT')
  if (!access.enabled) return new DomainError('TENANT_INACTIVE')
  if (!access.provisioned) return new DomainError('TENANT_NOT_PROVISIONED')
  if (!access.scopes.includes(scope)) return new DomainError('FORBIDDEN')
  if (!access.subscriptionActive) return new DomainError('BILLING_INACTIVE')
  return undefined
}

/** Requests per minute that the plan allows the key in a class. */
export function rateLimitOf(access: KeyAccess, rateClass: RateClass): number {
  return rateClass === 'write' ? access.writeLimit : access.readLimit
}
