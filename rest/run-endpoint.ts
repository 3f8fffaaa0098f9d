import type { Context, Middleware } from 'koa'
import { z } from 'zod'
import { DomainError } from '#domain/errors.ts'
import { whileIdle } from '#domain/scope.ts'
import { authenticate } from './authenticate.ts'
import { createBytesInFlight } from './bytes-in-flight.ts'
import type { Endpoint, OpenEndpoint, ProviderEndpoint, TenantEndpoint } from './endpoint.ts'
import { checkParameters } from './input.ts'
import type { SendJson } from './ports.ts'
import { readBytes } from './read-body.ts'
import { readTenantBody } from './read-tenant-body.ts'
import type { RestServices } from './rest-services.ts'
import { textResponder } from './text-responder.ts'
import { resultOfError } from './verify/callback-result.ts'
import { assertWithinLimit, windowHeaders } from './window-headers.ts'

/** The path of every request to a declared endpoint: credentials, limit, input, verb, presentation. */
export function runEndpoint(endpoint: Endpoint, services: RestServices): Middleware {
  const { schema, status, mediaType } = endpoint.response
  const headers = headersOf(endpoint)
  const send = mediaType ? textResponder(mediaType, headers) : services.responder({ status, headers })
  const run = runnerOf(endpoint, services, (ctx, result, headers) => send(ctx, schema.parse(result), headers))
  const described = { route: `${endpoint.method} ${endpoint.path}` }
  return ctx => {
    services.describeRequest(ctx, described)
    return run(ctx)
  }
}

function headersOf(endpoint: Endpoint): Record<string, string> {
  return 'maxAgeSeconds' in endpoint ? { 'Cache-Control': `public, max-age=${endpoint.maxAgeSeconds}` } : {}
}

type Runner = (ctx: Context) => Promise<void>

function runnerOf(endpoint: Endpoint, services: RestServices, send: SendJson): Runner {
  if ('maxAgeSeconds' in endpoint) return ctx => runForAnyone(ctx, endpoint, services, send)
  if ('bodyMsMax' in endpoint) return countingErrors(providerRunner(endpoint, services, send), services)
  return ctx => runForTenant(ctx, endpoint, services, send)
}

async function runForTenant(ctx: Context, endpoint: TenantEndpoint, services: RestServices, send: SendJson) {
  const { scope, window } = await authenticate(ctx, services, endpoint.access)
  try {
    assertWithinLimit(window, scope.now)
    const query = checkParameters(endpoint.query ?? noParameters, parametersOf(ctx))
    const headers = endpoint.headers ? checkParameters(endpoint.headers, ctx.headers) : {}
    const { body: declared, access } = endpoint
    const body = declared && (await readTenantBody(ctx, scope, { body: declared, access }))
    const request = { scope, query, headers, body, response: ctx.res }
    const result = await endpoint.handle(request)
    const own = endpoint.headersOf?.(result)
    send(ctx, result, own ? { ...windowHeaders(window), ...own } : windowHeaders(window))
  } catch (error) {
    ctx.set(windowHeaders(window))
    throw error
  }
}

/** Anyone can call it, so nothing of a body is read for a request that can't be authentic. */
function providerRunner(endpoint: ProviderEndpoint, services: RestServices, send: SendJson): Runner {
  const { bytesMax, bodyMsMax, bytesInFlightMax } = endpoint
  const { callbacks, clock, countCallback, scopeFor, logOf, describeRequest } = services
  const notAuthentic = (ctx: Context, reason: 'credentials' | 'signature') => {
    describeRequest(ctx, { reason })
    return new DomainError('FORBIDDEN', { message: 'The signature is missing or invalid.' })
  }
  const withBytes = createBytesInFlight(bytesInFlightMax)
  return async ctx => {
    if (!callbacks.hasCredentials(ctx.headers)) throw unread(ctx, notAuthentic(ctx, 'credentials'))
    return await withBytes(async count => {
      const read = () => readBytes(ctx, bytesMax, { msMax: bodyMsMax, count })
      const rawBody = await (ctx.req.complete ? read() : whileIdle(logOf(ctx), read))
      if (!callbacks.isAuthentic(ctx.headers, rawBody)) throw notAuthentic(ctx, 'signature')
      const scope = scopeFor({ kind: 'service' }, clock(), logOf(ctx))
      send(ctx, await endpoint.handle({ scope, callbacks, countCallback, rawBody }))
    }).catch(error => {
      throw ctx.req.complete ? error : unread(ctx, error)
    })
  }
}

function countingErrors(run: Runner, { countCallback }: RestServices): Runner {
  return ctx =>
    run(ctx).catch(error => {
      countCallback(resultOfError(error))
      throw error
    })
}

/** Closes the connection after the response, because the rest of the body isn't read. */
function unread<Failure>(ctx: Context, error: Failure): Failure {
  ctx.set('Connection', 'close')
  return error
}

async function runForAnyone(ctx: Context, endpoint: OpenEndpoint, services: RestServices, send: SendJson) {
  const { clock, scopeFor, logOf } = services
  const parameters = (endpoint.parameters ?? noParameters).safeParse(ctx.params)
  if (!parameters.success) throw new DomainError('ROUTE_NOT_FOUND')
  const scope = scopeFor({ kind: 'service' }, clock(), logOf(ctx))
  send(ctx, await endpoint.handle({ scope, parameters: parameters.data }))
}

const noParameters = z.strictObject({})

/** The query's parameters. A repeated one becomes a list. */
function parametersOf(ctx: Context): Record<string, string | string[]> {
  if (ctx.querystring === '') return {}
  const parameters = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(ctx.querystring)) {
    const known = parameters.get(name)
    if (Array.isArray(known)) known.push(value)
    else parameters.set(name, known === undefined ? value : [known, value])
  }
  return Object.fromEntries(parameters)
}
