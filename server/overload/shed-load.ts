import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { DomainError } from '#domain/errors.ts'
import { statusOf, toErrorEnvelope } from '#rest/errors.ts'
import { endpoints } from '#rest/router.ts'
import { requestIdHeader } from '../http/request-id.ts'
import { securityHeadersOf } from '../http/security-headers.ts'
import type { LoadShedder } from './load-shedder.ts'

/** Longer than most overloads last: clients that retry then find the service recovered. */
const retryAfterSeconds = 2

/** The tenants' endpoints. Never shed: the provider's callbacks, health, metrics, and what browsers load. */
const shedPaths = new Set(endpoints.filter(({ access }) => access.by === 'tenant').map(({ path }) => path))

/** Rejects tenants' requests while the process is overloaded, before anything is done for them and without a log line. */
export function shedLoad(handle: RequestListener, shedder: LoadShedder, baseUrl: string): RequestListener {
  const reject = createRejection(baseUrl)
  return (request, response) => {
    if (shedPaths.has(pathOf(request)) && !shedder.admit(response)) reject(response)
    else handle(request, response)
  }
}

function pathOf({ url = '' }: IncomingMessage): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

function createRejection(baseUrl: string): (response: ServerResponse) => void {
  const error = new DomainError('INTERNAL_ERROR', {
    message: 'The service is overloaded. Nothing was done; retry after the given delay.',
    details: { reason: 'overloaded', retryAfterSeconds },
  })
  const headers = {
    ...securityHeadersOf(baseUrl),
    'Content-Type': 'application/json; charset=utf-8',
    'Retry-After': String(retryAfterSeconds),
  }
  const fixed = Object.entries(headers).flat()
  return response => {
    const requestId = randomUUID()
    const body = JSON.stringify(toErrorEnvelope(error, requestId))
    const length = String(Buffer.byteLength(body))
    response.writeHead(statusOf[error.code], [...fixed, requestIdHeader, requestId, 'Content-Length', length])
    response.end(body)
  }
}
