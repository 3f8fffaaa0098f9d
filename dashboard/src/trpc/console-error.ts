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
export function isRetryable({ code }: ConsoleError): boolean {
  return code === undefined || retryableCodes.has(code)
}

const retryableCodes = new Set(['INTERNAL_ERROR', 'DATABASE_ERROR', 'REDIS_ERROR', 'RATE_LIMIT_EXCEEDED'])

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
