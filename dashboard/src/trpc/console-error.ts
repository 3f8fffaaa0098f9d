import { TRPCClientError } from '@trpc/client'
import type { ConsoleRouter } from '../../../console-api/router.ts'

/** What the dashboard knows of a failed call: the service's own answer, or that there was none. */
export interface DomainError {
  /** The code of the specification's table; undefined if no answer came. */
  code: string | undefined
  message: string
  requestId: string | undefined
  retryAfterSeconds: number | undefined
  issues: { path: string; message: string }[]
}

export function toDomainError(error: unknown): DomainError {
  if (!isConsoleError(error) || !error.data) return noAnswer
  const { data, message } = error
  return {
    code: data.error,
    message,
    requestId: data.requestId,
    retryAfterSeconds: data.details?.retryAfterSeconds,
    issues: data.details?.issues ?? [],
  }
}

/** Whether asking again may help: no answer, a fault of the service, or too many calls. */
export function mayPass({ code }: DomainError): boolean {
  return code === undefined || passing.has(code)
}

const passing = new Set(['INTERNAL_ERROR', 'DATABASE_ERROR', 'REDIS_ERROR', 'RATE_LIMIT_EXCEEDED'])

const noAnswer: DomainError = {
  code: undefined,
  message: '',
  requestId: undefined,
  retryAfterSeconds: undefined,
  issues: [],
}

function isConsoleError(error: unknown): error is TRPCClientError<ConsoleRouter> {
  return error instanceof TRPCClientError
}
