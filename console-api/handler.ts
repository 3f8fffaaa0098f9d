import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import type { DomainError } from '#domain/errors.ts'
import type { Clock } from '#domain/ports.ts'
import type { Authenticate, User } from './authenticate.ts'
import type { ConsoleContext, CreateScope } from './context.ts'
import { type ConsoleErrorData, currentRequest, domainErrorOfCall, isServerError } from './errors.ts'
import type { RateLimiter } from './rate-limit.ts'
import { consoleRouter } from './router.ts'

export interface ConsoleOptions {
  authenticate: Authenticate
  createScope: CreateScope
  limiter: RateLimiter
  clock: Clock
  /** Told of every fault that is ours (500 and 503), with its private cause. */
  report(fault: DomainError, at: { requestId: string; path: string | undefined }): void
}

export interface RequestExtra {
  requestId: string
  /** The caller's address, for the audit log. */
  ip: string
}

export type ConsoleHandler = (request: Request, extra: RequestExtra) => Promise<Response>

const endpoint = '/console'

/** Calls that one request may carry. */
const batchSizeMax = 20

/** Answers every request below `/console`, whatever it is; never throws. */
export function createConsoleHandler(options: ConsoleOptions): ConsoleHandler {
  return (request, extra) =>
    currentRequest.run({ requestId: extra.requestId }, () =>
      fetchRequestHandler({
        endpoint,
        req: withType(request),
        router: consoleRouter,
        maxBatchSize: batchSizeMax,
        createContext: () => createContext(options, request, extra),
        onError: ({ error, type, path }) => {
          const fault = domainErrorOfCall(error, type)
          if (isServerError(fault)) options.report(fault, { requestId: extra.requestId, path })
        },
        responseMeta: ({ data }) => ({
          headers: headersFor(data.flatMap(answer => ('error' in answer ? [answer.error.data] : []))),
        }),
      }),
    )
}

/** tRPC refuses a POST without a type; a mutation that takes nothing may come without a body, and so without one. */
function withType(request: Request): Request {
  const { headers } = request
  const hasBody = headers.has('transfer-encoding') || (headers.get('content-length') ?? '0') !== '0'
  if (!hasBody && !headers.has('content-type')) headers.set('content-type', 'application/json')
  return request
}

function createContext(
  options: ConsoleOptions,
  request: Request,
  { requestId, ip }: RequestExtra,
): ConsoleContext {
  const { createScope, limiter, clock } = options
  let user: Promise<User> | undefined
  const authenticate = () => {
    user ??= options.authenticate(request.headers.get('authorization') ?? undefined)
    return user
  }
  const tenantHeader = request.headers.get('x-tenant-id')?.trim() || undefined
  return { requestId, ip, tenantHeader, authenticate, createScope, limiter, clock }
}

/** Secrets are among the answers, so nothing is kept; what failed says how to go on. */
function headersFor(failures: ConsoleErrorData[]): Headers {
  const headers = new Headers({ 'cache-control': 'no-store' })
  if (failures.some(failure => failure.httpStatus === 401)) headers.set('www-authenticate', 'Bearer')
  const waits = failures.map(failure => failure.details?.retryAfterSeconds ?? 0)
  const longest = Math.max(0, ...waits)
  if (longest > 0) headers.set('retry-after', String(longest))
  return headers
}
