import type { ErrorCode } from '../error-codes.ts'
import { DomainError } from '../errors.ts'
import type { ApiKeyScope } from '../permissions.ts'
import { hasExpired } from './api-key.policy.ts'

/** What a key allows, and the state of its tenant and plan: everything that admission depends on. */
export interface KeyAccess {
  apiKeyId: string
  tenantId: string
  /** Separated by spaces. */
  scopes: string
  /** Null for a key that never expires. */
  expiresAt: Date | null
  revoked: boolean
  enabled: boolean
  subscriptionActive: boolean
  /** Requests per minute, by class. */
  writeLimit: number
  readLimit: number
}

export type AdmissionError = Extract<
  ErrorCode,
  'UNAUTHENTICATED_TENANT' | 'TENANT_INACTIVE' | 'FORBIDDEN' | 'BILLING_INACTIVE'
>

/** The error for a key without access: unknown, revoked or expired, which a caller can't tell apart. */
export const invalidKeyError = 'UNAUTHENTICATED_TENANT' satisfies AdmissionError

/**
 * Why a request with the key is rejected; undefined when it is admitted. The order of the checks is part of the
 * API: key, tenant disabled, scope, subscription.
 */
export function decideAdmission(
  access: KeyAccess,
  scope: ApiKeyScope,
  now: Date,
): AdmissionError | undefined {
  if (access.revoked || hasExpired(access.expiresAt, now)) return invalidKeyError
  if (!access.enabled) return 'TENANT_INACTIVE'
  if (!access.scopes.split(' ').includes(scope)) return 'FORBIDDEN'
  if (!access.subscriptionActive) return 'BILLING_INACTIVE'
  return undefined
}

/** The error of a request that was rejected. A key without access gets the same one, whatever the reason. */
export function admissionError(error: AdmissionError, scope: ApiKeyScope): DomainError {
  if (error === 'FORBIDDEN') {
    return new DomainError(error, {
      message: `This key lacks the scope ${scope}. Use a key that has it; scopes are chosen when a key is created.`,
      details: { requiredScope: scope },
    })
  }
  if (error === invalidKeyError) {
    return new DomainError(error, {
      message: 'The API key is unknown, expired or revoked. Use another one, or create one in the dashboard.',
      details: { reason: 'invalid' },
    })
  }
  return new DomainError(error)
}
