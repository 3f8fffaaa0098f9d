import { type ConsoleError, isRetryable } from '../trpc/console-error.ts'

export interface ErrorDescription {
  title: string
  /** What the user can do about it. */
  advice: string
}

export function describeError(error: ConsoleError): ErrorDescription {
  if (error.code === undefined) return navigator.onLine ? unreachable : offline
  if (error.code === 'RATE_LIMIT_EXCEEDED') return tooManyRequests(error.retryAfterSeconds)
  const known = descriptions[error.code]
  // The service says why, as for the last owner of a tenant.
  if (known && error.code === 'FORBIDDEN' && error.message !== '') return { ...known, advice: '' }
  if (known) return known
  const advice = isRetryable(error) ? 'Try again in a moment.' : 'Check your input and try again.'
  return { title: 'The request failed', advice }
}

const unreachable: ErrorDescription = {
  title: 'The service is unreachable',
  advice: 'Check your connection and try again.',
}

const offline: ErrorDescription = {
  title: 'You are offline',
  advice: 'Connect to a network and try again.',
}

function tooManyRequests(retryAfterSeconds: number | undefined): ErrorDescription {
  const wait = retryAfterSeconds === undefined ? 'a moment' : `${retryAfterSeconds} seconds`
  return { title: 'Too many requests', advice: `Wait ${wait}, then try again.` }
}

const descriptions: Record<string, ErrorDescription> = {
  FORBIDDEN: {
    // The message says what is permitted, and to whom.
    title: 'Permission denied',
    advice: '',
  },
  TENANT_NOT_PROVISIONED: {
    title: 'You are not a member of this tenant',
    advice: 'Ask an owner of the tenant to invite you.',
  },
  TENANT_INACTIVE: {
    title: 'This tenant is disabled',
    advice: 'You can view its data but not change it. Contact the operator of this service to enable it.',
  },
  NOT_PROVISIONED: { title: 'This is not possible now', advice: '' },
  UNAUTHENTICATED_TENANT: { title: 'Your session has expired', advice: 'Sign in again to continue.' },
  VERIFICATION_NOT_FOUND: {
    title: 'Verification not found',
    advice: 'Check the ID. The verification may belong to another tenant.',
  },
  DATABASE_ERROR: {
    title: 'The database is unavailable',
    advice: 'Try again in a moment. If the problem persists, send the request ID to the operator.',
  },
  REDIS_ERROR: { title: 'The service is temporarily unavailable', advice: 'Try again in a moment.' },
  INTERNAL_ERROR: {
    title: 'Internal error',
    advice: 'Try again. If the problem persists, send the request ID to the operator.',
  },
}
