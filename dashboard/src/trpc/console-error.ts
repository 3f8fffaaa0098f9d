import { TRPCClientError } from '@trpc/client'
import type { ConsoleRouter } from '../../../console-api/router.ts'
import { IssuerUnreachable } from '../sign-in/issuer.ts'

/** A failed call of the console API. */
export interface ConsoleError {
  /** From the service's error catalogue; undefined if there was no response. */
  code: string | undefined
  message: string
  requestId: string | undefined
  retryAfterSeconds: number | undefined
  issues: { path: string; message: string }[]
}

export function toConsoleError(error: unknown): ConsoleError {
  if (!isTrpcError(error) || !error.data) return { ...noResponse, message: signInFailure(error) }
  const { data, message } = error
  return {
    code: data.error,
    message,
    requestId: data.requestId,
    retryAfterSeconds: data.details?.retryAfterSeconds,
    issues: data.details?.issues ?? [],
  }
}

/** True for no response, server errors and rate limiting. */
export function isRetryable(error: ConsoleError): boolean {
  return error.code === undefined || error.code === 'RATE_LIMIT_EXCEEDED' || isServerError(error)
}

/** Whether the service failed, of which its operator finds the cause by the request ID. */
export function isServerError({ code }: ConsoleError): boolean {
  return code === 'INTERNAL_ERROR' || code === 'DATABASE_ERROR' || code === 'REDIS_ERROR'
}

const noResponse: ConsoleError = {
  code: undefined,
  message: '',
  requestId: undefined,
  retryAfterSeconds: undefined,
  issues: [],
}

/** Why there is no response, if the call was not sent because the sign-in could not be renewed. */
function signInFailure(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof IssuerUnreachable ? cause.message : ''
}

function isTrpcError(error: unknown): error is TRPCClientError<ConsoleRouter> {
  return error instanceof TRPCClientError
}

interface ErrorDescription {
  title: string
  /** What the user can do about it. */
  advice: string
}

export function describeError(error: ConsoleError): ErrorDescription {
  if (error.code === undefined) return navigator.onLine ? unreachable : offline
  if (error.code === 'RATE_LIMIT_EXCEEDED') return tooManyRequests(error.retryAfterSeconds)
  const known = descriptions[error.code]
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
