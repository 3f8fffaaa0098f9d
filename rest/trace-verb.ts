import { isTraced, traced } from '#domain/tracing.ts'
import type { Endpoint } from './endpoint.ts'

/** The endpoint with its verb as an operation of a trace, where anything is traced. */
export function traceVerb(endpoint: Endpoint): Endpoint {
  const { operationId: name } = endpoint
  const handle = endpoint.handle as (request: unknown) => Promise<unknown>
  const operationOf = (request: unknown) => traced({ kind: 'verb', name }, () => handle(request))
  const traceable = (request: unknown) => (isTraced() ? operationOf(request) : handle(request))
  return { ...endpoint, handle: traceable } as Endpoint
}
