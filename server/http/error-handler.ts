import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import type { Context, Middleware } from 'koa'
import { DomainError } from '#domain/errors.ts'
import { toDomainError } from '#domain/to-domain-error.ts'
import { isServerError, sendError } from '#rest/errors.ts'
import { isRepeated } from '#rest/is-repeated.ts'
import { routeNotFound } from '#rest/route-not-found.ts'
import type { Log } from '../logging/log.ts'
import { describeRequest, findRoute } from './access-log.ts'
import { getRequestId, getRequestIds } from './request-id.ts'
import type { RequestMetrics } from './request-metrics.ts'

/** Sends every thrown error as the error envelope, and 404 for a request that no route handled; counts them. */
export function handleErrors(log: Log, metrics: RequestMetrics): Middleware {
  return async (ctx, next) => {
    try {
      assertValid(ctx)
      await next()
      if (ctx.status === 404 && ctx.body === undefined) throw routeNotFound(ctx)
    } catch (error) {
      const domainError = toDomainError(error)
      const { code, cause } = domainError
      describeRequest(ctx, { code })
      if (isServerError(code)) log.error({ ...getRequestIds(ctx), code, err: cause }, 'Request failed')
      metrics.errorSent(findRoute(ctx), code)
      sendError(ctx, domainError, getRequestId(ctx))
    }
  }
}

function assertValid(ctx: Context): void {
  try {
    assertWellFormed(ctx.req)
  } catch (error) {
    // Where the request ends is then not certain.
    ctx.set('Connection', 'close')
    throw error
  }
  try {
    // Koa's getter throws for an absolute URL that is invalid, such as `http://[`, which matches no route.
    void ctx.path
  } catch (error) {
    throw new DomainError('ROUTE_NOT_FOUND', { cause: error })
  }
}

/** Throws `INVALID_PARAMETERS` for what Node's parser accepts, and a server must reject (RFC 9112). */
function assertWellFormed(request: IncomingMessage): void {
  const { httpVersion, headers } = request
  const { host } = headers
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw malformed('HTTP version', 'must be 1.1 or 1.0')
  const coding = headers['transfer-encoding']
  if (coding !== undefined && (httpVersion === '1.0' || coding.trim().toLowerCase() !== 'chunked')) {
    throw malformed('Transfer-Encoding', 'must be chunked, in HTTP/1.1')
  }
  if (isRepeated(request, 'host')) throw malformed('Host', 'was sent more than once; send it once')
  if (host === undefined && httpVersion === '1.1') throw malformed('Host', 'is required')
  if (host !== undefined && !isHost(host)) throw malformed('Host', 'must be a host name or an IP address')
}

function malformed(path: string, message: string): DomainError {
  const details = { issues: [{ path, message }] }
  return new DomainError('INVALID_PARAMETERS', { message: `${path} ${message}.`, details })
}

/** A host that is not empty, with a port or without (RFC 3986, 3.2.2; the zone of an address as RFC 6874 has it). */
function isHost(value: string): boolean {
  if (nameAndPort.test(value)) return true
  const { address, future } = literalAndPort.exec(value)?.groups ?? {}
  return future !== undefined || (address !== undefined && isIPv6(address))
}

const nameAndPort = /^(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+(?::\d*)?$/i
const literalAndPort =
  /^\[(?:(?<address>[\da-f:.]+)(?:%25(?:[\w.~-]|%[\da-f]{2})+)?|(?<future>v[\da-f]+\.[\w.~!$&'()*+,;=:-]+))\](?::\d*)?$/i
