import type { Context, Middleware } from 'koa'
import { type ZodObject, z } from 'zod'
import { assertStillAdmitted } from '#domain/api-key/assert-still-admitted.ts'
import { DomainError } from '#domain/errors.ts'
import { type CountBytes, createBytesInFlight, uncountedBytes } from '#domain/fairness/bytes-in-flight.ts'
import { workInTurns } from '#domain/fairness/work-in-turns.ts'
import { scopeAt } from '#domain/scope.ts'
import { authenticate } from './authenticate.ts'
import { crossOriginHeaders } from './cross-origin.ts'
import type {
  DocumentedEndpoint,
  Endpoint,
  OpenEndpoint,
  ProviderEndpoint,
  TenantEndpoint,
} from './endpoint.ts'
import { statusOf } from './errors.ts'
import { checkParameters } from './input.ts'
import type { RestServices, SendJson } from './ports.ts'
import { hasArrived, readBytes } from './read-body.ts'
import { tenantBodyReader } from './read-tenant-body.ts'
import { textResponder } from './text-responder.ts'
import { resultOfError } from './verify/callback-result.ts'
import { assertWithinLimit, windowHeaders } from './window-headers.ts'

type Runner = (ctx: Context) => Promise<void>

/** The path of every request to a declared endpoint: credentials, limit, input, verb, presentation. */
export function runEndpoint(endpoint: Endpoint, services: RestServices): Middleware {
  const run =
    endpoint.kind === 'provider' ? providerRunner(endpoint, services) : documentedRunner(endpoint, services)
  const described = { route: `${endpoint.method} ${endpoint.path}` }
  return ctx => {
    services.describeRequest(ctx, described)
    return run(ctx)
  }
}

function documentedRunner(endpoint: DocumentedEndpoint, services: RestServices): Runner {
  const { schema, status, mediaType } = endpoint.response
  const headers: Record<string, string> =
    endpoint.kind === 'open'
      ? { 'Cache-Control': `public, max-age=${endpoint.maxAgeSeconds}`, ...crossOriginHeaders }
      : {}
  const sendParsed = mediaType ? textResponder(mediaType, headers) : services.responder({ status, headers })
  const send: SendJson = (ctx, result, own) => sendParsed(ctx, schema.parse(result), own)
  if (endpoint.kind === 'open') return ctx => runForAnyone(ctx, endpoint, services, send)
  return tenantRunner(endpoint, services, send)
}

/** For so long an admission holds while the body arrives. */
const admissionMs = 1_000

function tenantRunner(endpoint: TenantEndpoint, services: RestServices, send: SendJson): Runner {
  const readBody = endpoint.body && tenantBodyReader(endpoint.body)
  return async ctx => {
    const parts = services.requestOf(ctx)
    let reading: Promise<unknown> | undefined
    const readOnce = async () => {
      reading ??= readBody?.(ctx, parts.request)
      return await reading
    }
    const nameVerification = () => verificationNamed(endpoint, ctx, readOnce)
    const admission = { ...endpoint.access, nameVerification }
    const { scope, window, found } = await authenticate(ctx, services, admission, parts)
    try {
      assertWithinLimit(window, scope.now)
      const parameters = checkParameters(endpoint.parameters ?? noParameters, ctx.params)
      const query = checkParameters(endpoint.query ?? noParameters, readQuery(ctx))
      const headers = endpoint.headers
        ? checkParameters(endpoint.headers, readHeaders(ctx, endpoint.headers))
        : {}
      const begunAt = performance.now()
      const body = await readOnce()
      if (performance.now() - begunAt > admissionMs) {
        await assertStillAdmitted(scopeAt(scope, scope.clock()), endpoint.access.scope)
      }
      const request = { scope, parameters, query, headers, body, found, response: ctx.res }
      const result = await endpoint.handle(request)
      const own = endpoint.headersOf?.(result)
      send(ctx, result, own ? { ...windowHeaders(window), ...own } : windowHeaders(window))
    } catch (error) {
      const status = error instanceof DomainError ? statusOf[error.code] : 500
      // A key that lost its access while the request waited gets the answer of one that never had it.
      if (status !== 401 && status !== 402) ctx.set(windowHeaders(window))
      throw error
    }
  }
}

/** A body that names a verification is shorter; a request that will be rejected has no more than this read. */
const namingBytesMax = 4 * 1024

/**
 * The verification that a request names, by what has arrived of it: nobody waits here for a body, and what is wrong with one is
 * said after the admission.
 */
async function verificationNamed(
  { body: declared, nameVerification }: TenantEndpoint,
  ctx: Context,
  readBody: () => Promise<unknown>,
): Promise<string | undefined> {
  if (!nameVerification) return undefined
  const { length = Number.POSITIVE_INFINITY } = ctx.request
  if (declared && !(length <= namingBytesMax && hasArrived(ctx))) return undefined
  try {
    const body = declared && (await readBody())
    return nameVerification({ querystring: ctx.querystring, body })
  } catch (error) {
    if (error instanceof DomainError) return undefined
    throw error
  }
}

/** How many begin in a turn of the process: each of a thousand connections can have one. */
const callbacksPerTurn = 16

/** Anyone can call it, so nothing of a body is read for a request that can't be authentic. */
function providerRunner(endpoint: ProviderEndpoint, services: RestServices): Runner {
  const {
    callbacks,
    clock,
    countCallback,
    takeCallbackPlace,
    scopeFor,
    requestOf,
    describeRequest,
    responder,
  } = services
  const send = responder({ status: 200, headers: {} })
  const reject = async (ctx: Context, reason: 'credentials' | 'signature'): Promise<never> => {
    await takeCallbackPlace(ctx, false)
    describeRequest(ctx, { reason })
    throw new DomainError('FORBIDDEN', { message: 'The signature is missing or invalid.' })
  }
  const [turnOfCallback, turnOfLargeBody] = [workInTurns(callbacksPerTurn), workInTurns(1)]
  const withBytes = createBytesInFlight(endpoint.bytesInFlightMax)
  const run = async (ctx: Context, count: CountBytes) => {
    if (!callbacks.hasCredentials(ctx.headers)) await reject(ctx, 'credentials')
    const parts = requestOf(ctx)
    const rawBody = await readBytes(ctx, parts.request, endpoint.bytesMax, count)
    // A signature over a megabyte takes milliseconds, and a turn of many connections has many.
    if (rawBody.length > uncountedBytes) await turnOfLargeBody()
    if (!callbacks.isAuthentic(ctx.headers, rawBody)) await reject(ctx, 'signature')
    await takeCallbackPlace(ctx, true)
    const scope = scopeFor({ kind: 'service' }, clock(), parts)
    countCallback(await endpoint.handle({ scope, callbacks, rawBody }))
    send(ctx, { received: true })
  }
  return async ctx => {
    await turnOfCallback()
    try {
      await withBytes(count => run(ctx, count))
    } catch (error) {
      countCallback(resultOfError(error))
      // The rest of a body isn't read after the response.
      if (!ctx.req.complete) ctx.set('Connection', 'close')
      throw error
    }
  }
}

async function runForAnyone(ctx: Context, endpoint: OpenEndpoint, services: RestServices, send: SendJson) {
  const { clock, scopeFor, requestOf } = services
  try {
    const parameters = (endpoint.parameters ?? noParameters).safeParse(ctx.params)
    if (!parameters.success) throw new DomainError('ROUTE_NOT_FOUND')
    assertSupported(ctx, endpoint.unsupported)
    assertAcceptable(ctx, endpoint.response.mediaType)
    const scope = scopeFor({ kind: 'service' }, clock(), requestOf(ctx))
    send(ctx, await endpoint.handle({ scope, parameters: parameters.data }))
  } catch (error) {
    ctx.set(crossOriginHeaders)
    throw error
  }
}

function assertSupported(ctx: Context, unsupported: Readonly<Record<string, string>> = {}): void {
  const found = Object.keys(readQuery(ctx)).find(name => Object.hasOwn(unsupported, name))
  if (found !== undefined) throw new DomainError('NOT_IMPLEMENTED', { message: unsupported[found]! })
}

function assertAcceptable(ctx: Context, mediaType: string | undefined): void {
  if (mediaType === undefined || ctx.accepts(mediaType)) return
  throw new DomainError('NOT_ACCEPTABLE', { message: `Accept must allow ${mediaType}.` })
}

const noParameters = z.strictObject({})

/** Those of a declaration, by its names: Node's are in lower case. */
function readHeaders(ctx: Context, { shape }: ZodObject): Record<string, unknown> {
  return Object.fromEntries(Object.keys(shape).map(name => [name, ctx.headers[name.toLowerCase()]]))
}

/** The query's parameters. A repeated one becomes a list. */
function readQuery(ctx: Context): Record<string, string | string[]> {
  if (ctx.querystring === '') return {}
  const parameters = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(ctx.querystring)) {
    const known = parameters.get(name)
    if (Array.isArray(known)) known.push(value)
    else parameters.set(name, known === undefined ? value : [known, value])
  }
  return Object.fromEntries(parameters)
}
