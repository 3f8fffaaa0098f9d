import { TRPCClientError } from '@trpc/client'
import type { ConsoleRouter } from '../../../console-api/router.ts'
import { ForeignResponse } from './foreign-response.ts'
import { formatDuration } from './format-number.ts'
import { Unreachable } from './unreachable.ts'

/** A failed call of the console API. */
export interface ConsoleError {
  /** From the service's error catalogue; undefined if it did not respond. */
  code: string | undefined
  /** What responded in its place. */
  foreign: ForeignResponse | undefined
  message: string
  requestId: string | undefined
  retryAfterSeconds: number | undefined
  issues: { path: string; message: string }[]
}

export function toConsoleError(error: unknown): ConsoleError {
  const answered: TRPCClientError<ConsoleRouter> | undefined =
    error instanceof TRPCClientError && error.data ? error : undefined
  const data = answered?.data
  const cause = error instanceof Error ? error.cause : undefined
  const foreign = answered ? undefined : [error, cause].find(found => found instanceof ForeignResponse)
  return {
    code: data?.error,
    foreign,
    // Without a response: why the call was not sent, if the sign-in could not be renewed.
    message: answered?.message ?? (cause instanceof Unreachable ? cause.message : ''),
    requestId: data?.requestId,
    retryAfterSeconds: data?.details?.retryAfterSeconds ?? foreign?.retryAfterSeconds,
    issues: data?.details?.issues ?? [],
  }
}

/** True for no response, server errors and rate limiting. */
export function isRetryable(error: ConsoleError): boolean {
  if (error.foreign) return error.foreign.isPassing
  return error.code === undefined || error.code === 'RATE_LIMIT_EXCEEDED' || isServerError(error)
}

/** For longer, no call is kept back or repeated by itself. */
export const waitMaxSeconds = 60

/** Whether it is worth waiting for another attempt, without asking the user. */
export function isRepeated(error: unknown): boolean {
  const consoleError = toConsoleError(error)
  return isRetryable(consoleError) && (consoleError.retryAfterSeconds ?? 0) <= waitMaxSeconds
}

/** The time before the next attempt after `failures` earlier ones: what the service asks for, else 1 s, 2 s, 4 s, … */
export function retryDelayMs(failures: number, error: unknown): number {
  const { retryAfterSeconds } = toConsoleError(error)
  return (retryAfterSeconds ?? Math.min(2 ** failures, 15)) * 1_000
}

/** Whether the service failed, of which its operator finds the cause by the request ID. */
export function isServerError({ code }: ConsoleError): boolean {
  return code === 'INTERNAL_ERROR' || code === 'DATABASE_ERROR' || code === 'REDIS_ERROR'
}

interface ErrorDescription {
  title: string
  /** What the user can do about it. */
  advice?: string
}

export function describeError(error: ConsoleError): ErrorDescription {
  if (error.foreign) {
    const did = error.foreign.status === 0 ? 'redirected the request' : `answered ${error.foreign.status}`
    return { title: `Something in front of the service ${did}`, advice: remedyOf(error.foreign) }
  }
  if (error.code === undefined) return navigator.onLine ? unreachable : offline
  if (isServerError(error)) return failed
  if (error.code === 'RATE_LIMIT_EXCEEDED') {
    return { title: 'Too many requests', advice: `Wait ${waitOf(error)}, then try again.` }
  }
  return descriptions[error.code] ?? { title: 'The request failed', advice: 'Check your input and try again.' }
}

const failed: ErrorDescription = {
  title: 'The service failed',
  advice: 'Try again in a moment. If the problem persists, send the request ID to the operator.',
}

const unreachable: ErrorDescription = {
  title: 'The service is unreachable',
  advice: 'Check your connection and try again.',
}

const offline: ErrorDescription = { title: 'You are offline', advice: 'Connect to a network and try again.' }

function waitOf({ retryAfterSeconds }: Pick<ConsoleError, 'retryAfterSeconds'>): string {
  return retryAfterSeconds ? formatDuration(retryAfterSeconds) : 'a moment'
}

/** What the user can do about what answered in place of the service, or of the sign-in provider. */
export function remedyOf(foreign: ForeignResponse): string {
  const { status, isPassing } = foreign
  const otherwise = "If that doesn't help, send the response to your administrator."
  if (isPassing) return `Wait ${waitOf(foreign)}, then try again. ${otherwise}`
  if (status === 407 || status === 511) return `Sign in to your network, then try again. ${otherwise}`
  if (status >= 400 && status !== 401 && status !== 403) {
    return 'Send the response to the administrator of your network, or of the proxy that answered.'
  }
  return `Open the dashboard in another tab: you may have to sign in there, or to show that you are human. Then try again. ${otherwise}`
}

export const disabledTenantReason = "This tenant is disabled. You can view its data but can't change it."

const descriptions: Record<string, ErrorDescription> = {
  // The message says what is permitted, and to whom.
  FORBIDDEN: { title: 'Permission denied' },
  TENANT_NOT_PROVISIONED: {
    title: 'You are not a member of this tenant',
    advice: 'Ask an owner of the tenant to invite you.',
  },
  TENANT_INACTIVE: {
    title: 'This tenant is disabled',
    advice: 'You can view its data but not change it. Contact the operator of this service to enable it.',
  },
  NOT_PROVISIONED: { title: 'This is not possible now' },
  UNAUTHENTICATED_TENANT: { title: 'Your session has expired', advice: 'Sign in again to continue.' },
  VERIFICATION_NOT_FOUND: {
    title: 'Verification not found',
    advice: 'Check the ID. The verification may have been erased or have expired, or belong to another tenant.',
  },
}
