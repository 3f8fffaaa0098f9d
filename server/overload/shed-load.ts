import type { IncomingMessage, RequestListener } from 'node:http'
import { DomainError } from '#domain/errors.ts'
import { endpoints } from '#rest/router.ts'
import { errorResponder } from '../http/error-responder.ts'
import type { LoadShedder } from './load-shedder.ts'

/** Longer than most overloads last: clients that retry then find the service recovered. */
const retryAfterSeconds = 2

/** The tenants' endpoints. Never shed: the provider's callbacks, health, metrics, and what browsers load. */
const shedPaths = new Set(endpoints.filter(({ access }) => access.by === 'tenant').map(({ path }) => path))

/** Rejects tenants' requests while the process is overloaded, before anything is done for them and without a log line. */
export function shedLoad(handle: RequestListener, shedder: LoadShedder, baseUrl: string): RequestListener {
  const reject = errorResponder(overloaded, baseUrl)
  return (request, response) => {
    if (shedPaths.has(pathOf(request)) && !shedder.admit(response)) reject(response)
    else handle(request, response)
  }
}

function pathOf({ url = '' }: IncomingMessage): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

const overloaded = new DomainError('INTERNAL_ERROR', {
  message: 'The service is overloaded. Nothing was done; retry after the given delay.',
  details: { reason: 'overloaded', retryAfterSeconds },
})
