import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import type { ErrorCode } from '#domain/error-codes.ts'
import type { DomainError } from '#domain/errors.ts'
import { ClientCalls } from '#domain/fairness/client-calls.ts'
import type { Clock, RequestCounter } from '#domain/ports.ts'
import { type Actor, type RequestParts, type Scope, whileIdle } from '#domain/scope.ts'
import type { Authenticate, User } from './authenticate.ts'
import type { ConsoleContext } from './context.ts'
import { type CallType, currentRequest, domainErrorOfCall, isServerError } from './errors.ts'
import { createExportHandler, readExportPath } from './exports/export-handler.ts'
import type { ReadIdToken } from './read-id-token.ts'
import { headersFor } from './response-headers.ts'
import { consoleRouter } from './router.ts'

export interface ConsoleOptions {
  authenticate: Authenticate
  readIdToken: ReadIdToken
  createScope<By extends Actor>(actor: By, now: Date, request: RequestParts): Scope<By>
  counter: RequestCounter
  clock: Clock
  /** Called for each request of a tenant's member, with the header of its sign-in. */
  memberServed(authorization: string, tenantId: string): void
  /** Called for the code of every error. */
  countError(code: ErrorCode): void
  /** Called for every server error (500 and 503); its `cause` is private. */
  report(error: DomainError, at: { requestId: string; path: string | undefined }): void
}

export interface RequestExtra {
  requestId: string
  /** The client's address, for the audit log. */
  ip: string
  /** What the verbs that the request runs have of it. */
  parts: RequestParts
  /** Reads the body, once however often it is called; undefined if the method has none. */
  body?: (() => Promise<unknown>) | undefined
  /** Adds fields to the request's line in the access log. */
  describe(fields: { tenantId?: string; procedure?: string; code?: ErrorCode }): void
}

export type ConsoleHandler = (request: Request, extra: RequestExtra) => Promise<Response>

const endpoint = '/console'

/** Maximum number of calls in one request. */
const batchSizeMax = 20

/** Handles every request below `/console`; never throws. */
export function createConsoleHandler(options: ConsoleOptions): ConsoleHandler {
  const handleExport = createExportHandler()
  const shared = { ...options, userCalls: new ClientCalls() }
  return (request, extra) =>
    currentRequest.run({ requestId: extra.requestId, typeOf }, async () => {
      const reportError = (domainError: DomainError, path: string | undefined) => {
        options.countError(domainError.code)
        extra.describe({ code: domainError.code })
        if (isServerError(domainError)) options.report(domainError, { requestId: extra.requestId, path })
      }
      const context = createContext(shared, request, extra)
      const isSignedIn = await readBodyOfUser(context, extra)
      const path = readExportPath(request, endpoint)
      if (path !== undefined) {
        return await handleExport({ request, path, context, describe: extra.describe, reportError })
      }
      const response = await fetchRequestHandler({
        endpoint,
        req: isSignedIn ? request : firstCall(request),
        router: consoleRouter,
        maxBatchSize: batchSizeMax,
        createContext: async ({ info }) => {
          extra.describe({ procedure: listProcedures(info.calls) })
          return context
        },
        onError: ({ error, type, path }) => reportError(domainErrorOfCall(error, type), path),
        responseMeta: ({ data }) => ({
          headers: headersFor(data.flatMap(result => ('error' in result ? [result.error.data] : []))),
        }),
      })
      // tRPC leaves it out of some errors.
      if (response.body) response.headers.set('content-type', 'application/json')
      return response
    })
}

/**
 * Whether the user is signed in, whose body is then read: before a call waits for it, which would be one of the few that a user
 * may run at a time. What this throws, the call throws.
 */
async function readBodyOfUser(context: ConsoleContext, { body }: RequestExtra): Promise<boolean> {
  const isSignedIn = await context.authenticate().then(
    () => true,
    () => false,
  )
  if (isSignedIn) await body?.().catch(() => undefined)
  return isSignedIn
}

/** A batch of a user who isn't signed in fails as a whole, with one error: each would cost others' time. */
function firstCall(request: Request): Request {
  const url = new URL(request.url)
  url.pathname = url.pathname.replace(/(,|%2c).*/i, '')
  url.searchParams.delete('batch')
  return new Request(url, request)
}

/** By path, whatever its type says. */
const procedures = consoleRouter._def.procedures as unknown as Record<string, { _def: { type: CallType } }>

/** Of a procedure that exists; the path can be any text. */
function typeOf(path: string): CallType {
  return (Object.hasOwn(procedures, path) && procedures[path]?._def.type) || 'unknown'
}

/** The names of the called procedures, without those that don't exist. */
function listProcedures(calls: readonly { path: string }[]): string {
  const known = calls.filter(({ path }) => typeOf(path) !== 'unknown')
  return known.map(({ path }) => path).join()
}

function createContext(
  options: ConsoleOptions & { userCalls: ClientCalls },
  request: Request,
  { requestId, ip, parts, describe }: RequestExtra,
): ConsoleContext {
  const now = options.clock()
  const authorization = request.headers.get('authorization') ?? undefined
  let user: Promise<User> | undefined
  return {
    requestId,
    ip,
    now,
    tenantHeader: request.headers.get('x-tenant-id')?.trim() || undefined,
    authenticate() {
      user ??= whileIdle(parts.request, () => options.authenticate(authorization))
      return user
    },
    createScope(actor) {
      if ('tenantId' in actor) {
        describe({ tenantId: actor.tenantId })
        options.memberServed(authorization ?? '', actor.tenantId)
      }
      return options.createScope(actor, now, parts)
    },
    readIdToken: (idToken, user) => whileIdle(parts.request, () => options.readIdToken(idToken, user)),
    counter: options.counter,
    userCalls: options.userCalls,
  }
}
