import { AsyncLocalStorage } from 'node:async_hooks'
import type { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { type TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import { ZodError } from 'zod'
import type { ErrorCode } from '#domain/error-codes.ts'
import type { ErrorDetails, InputIssue } from '#domain/error-details.ts'
import { DomainError } from '#domain/errors.ts'
import { inputIssues } from '#domain/input-issues.ts'
import { toDomainError } from '#domain/to-domain-error.ts'

/** The tRPC code of each domain error, which determines the HTTP status. */
const trpcCodes: Record<ErrorCode, TRPC_ERROR_CODE_KEY> = {
  UNAUTHENTICATED_TENANT: 'UNAUTHORIZED',
  FORBIDDEN: 'FORBIDDEN',
  INVALID_REQUEST_BODY: 'BAD_REQUEST',
  INVALID_PARAMETERS: 'BAD_REQUEST',
  ROUTE_NOT_FOUND: 'NOT_FOUND',
  VERIFICATION_NOT_FOUND: 'NOT_FOUND',
  VERIFICATION_ALREADY_COMPLETED: 'BAD_REQUEST',
  VERIFICATION_MUST_USE_WEBHOOK: 'BAD_REQUEST',
  RATE_LIMIT_EXCEEDED: 'TOO_MANY_REQUESTS',
  QUOTA_EXCEEDED: 'TOO_MANY_REQUESTS',
  HARD_LIMIT_EXCEEDED: 'TOO_MANY_REQUESTS',
  BILLING_INACTIVE: 'PAYMENT_REQUIRED',
  TENANT_INACTIVE: 'UNAUTHORIZED',
  NOT_PROVISIONED: 'CONFLICT',
  TENANT_NOT_PROVISIONED: 'FORBIDDEN',
  INTERNAL_ERROR: 'INTERNAL_SERVER_ERROR',
  DATABASE_ERROR: 'INTERNAL_SERVER_ERROR',
  // tRPC has no code for 406, which only the tenant API returns.
  NOT_ACCEPTABLE: 'BAD_REQUEST',
  NOT_IMPLEMENTED: 'NOT_IMPLEMENTED',
  REDIS_ERROR: 'SERVICE_UNAVAILABLE',
}

export type CallType = 'query' | 'mutation' | 'subscription' | 'unknown'

/** The current request: some errors occur before tRPC has created its context. */
export const currentRequest = new AsyncLocalStorage<{
  requestId: string
  /** What the procedure is: tRPC takes a call for a mutation if its body can't be JSON. */
  typeOf(path: string): CallType
}>()

export interface ConsoleErrorData {
  code: TRPC_ERROR_CODE_KEY
  httpStatus: number
  /** The called procedure; undefined if the request could not be parsed. */
  path: string | undefined
  /** The code of the error catalogue. */
  error: ErrorCode
  requestId: string | undefined
  details: ErrorDetails | undefined
}

interface FormatterInput {
  error: TRPCError
  type: CallType
  path: string | undefined
  ctx: { requestId: string } | undefined
}

/** The public part of an error: code, message and details; never the stack or the cause. */
export function formatError({ error, type, path, ctx }: FormatterInput) {
  const request = currentRequest.getStore()
  const domainError = domainErrorOfCall(error, (path !== undefined && request?.typeOf(path)) || type)
  const code = error.code === 'METHOD_NOT_SUPPORTED' ? error.code : trpcCodes[domainError.code]
  const data: ConsoleErrorData = {
    code,
    httpStatus: httpStatusOf(code),
    path,
    error: domainError.code,
    requestId: ctx?.requestId ?? request?.requestId,
    details: domainError.details,
  }
  return { message: domainError.message, code: TRPC_ERROR_CODES_BY_KEY[code], data }
}

/** Converts any error of a call: a verb's `DomainError`, one of tRPC, or an unexpected one. */
export function domainErrorOfCall(error: TRPCError, type: CallType): DomainError {
  if (error.cause instanceof DomainError) return error.cause
  switch (error.code) {
    case 'INTERNAL_SERVER_ERROR':
      return toDomainError(error.cause ?? error)
    case 'NOT_FOUND':
      return new DomainError('ROUTE_NOT_FOUND', { message: 'The console has no such procedure.' })
    case 'METHOD_NOT_SUPPORTED':
      return otherMethod(type)
    case 'PAYLOAD_TOO_LARGE':
      return invalidBody({ path: '', message: 'is too large' })
    case 'UNSUPPORTED_MEDIA_TYPE':
      return invalidBody({ path: 'Content-Type', message: 'must be application/json' })
    default:
      return invalidInput(error, type)
  }
}

export function toHttpStatus({ code }: DomainError): number {
  return httpStatusOf(trpcCodes[code])
}

/** Without a stack, which would cost more than all the rest of an error. */
function httpStatusOf(code: TRPC_ERROR_CODE_KEY): number {
  return getHTTPStatusCodeFromError({ code, name: 'TRPCError', message: '' })
}

/** Whether the service failed, not the caller: status 500 or 503. */
export function isServerError(error: DomainError): boolean {
  return toHttpStatus(error) >= 500
}

function otherMethod(type: CallType): DomainError {
  if (type !== 'query' && type !== 'mutation') return new DomainError('ROUTE_NOT_FOUND')
  const method = type === 'query' ? 'GET' : 'POST'
  return new DomainError('ROUTE_NOT_FOUND', {
    message: `This procedure is a ${type}; use ${method}.`,
    details: { allowedMethods: [method] },
  })
}

function invalidBody(issue: InputIssue): DomainError {
  return new DomainError('INVALID_REQUEST_BODY', {
    message: `${issue.path || 'The body'} ${issue.message}.`,
    details: { issues: [issue] },
  })
}

/** Queries are sent in the URL, mutations in the body. */
function invalidInput(error: TRPCError, type: CallType): DomainError {
  const code = type === 'mutation' ? 'INVALID_REQUEST_BODY' : 'INVALID_PARAMETERS'
  if (error.cause instanceof ZodError)
    return new DomainError(code, { details: { issues: inputIssues(error.cause) } })
  return new DomainError(code, {
    details: { issues: [{ path: '', message: 'could not be parsed' }] },
  })
}
