import type { Layer } from '@koa/router'
import type { Context } from 'koa'
import { DomainError } from '#domain/errors.ts'
import { enabled, endpoints, toRoutePath } from './router.ts'

type Method = (typeof endpoints)[number]['method']

/** The error for a request that no route handled, with the methods that its path has, or the endpoint that it resembles. */
export function routeNotFound(ctx: Context): DomainError {
  const routes = findRoutesOfPath(ctx)
  const allowedMethods = [...new Set(routes.flatMap(readMethods))]
  const [route] = routes
  // A route that has the method has found nothing.
  if (route && !routes.some(({ methods }) => methods.includes(ctx.method))) {
    const path = String(route.path).replace(/:(\w+)/g, '{$1}')
    return new DomainError('ROUTE_NOT_FOUND', {
      message: `No route ${ctx.method} ${path}; use ${allowedMethods.join(' or ')}.`,
      details: { allowedMethods },
    })
  }
  const similar = similarEndpoints.get(simplify(ctx.path))
  const hint = similar
    ? `Did you mean ${similar.method} ${similar.path}?`
    : 'GET /docs has the documentation, GET /openapi.json lists the endpoints.'
  return new DomainError('ROUTE_NOT_FOUND', { message: `No route matches the request. ${hint}` })
}

/** Every router leaves the routes that match the path, whatever their method. Those for browsers that ask first don't count. */
function findRoutesOfPath(ctx: Context): Layer[] {
  const { matched = [] } = ctx as { matched?: Layer[] }
  return matched.filter(layer => readMethods(layer).length > 0 && mayFind(layer, ctx.path))
}

/** Whether the right method can find something: parameters of the path must be those of an endpoint. */
function mayFind(layer: Layer, path: string): boolean {
  if (layer.paramNames.length === 0) return true
  const endpoint = endpoints.find(each => toRoutePath(each) === layer.path)
  const parameters = layer.params(path, layer.captures(path))
  return (
    endpoint !== undefined &&
    'parameters' in endpoint &&
    endpoint.parameters?.safeParse(parameters).success === true
  )
}

/** HEAD is implied by GET. */
function readMethods({ methods }: Layer): Method[] {
  return methods.filter((method): method is Method => method === 'GET' || method === 'POST')
}

/** Without what paths are often given in addition: a prefix, doubled or trailing slashes, capital letters. */
function simplify(path: string): string {
  return path
    .toLowerCase()
    .replace(/\/+/g, '/')
    .replace(/^(?:\/(?:api|v\d+))+(?=\/)/, '')
    .replace(/\/$/, '')
}

/** Those that every service has. */
const similarEndpoints = new Map(
  enabled(endpoints, { testTenants: false }).map(endpoint => [simplify(endpoint.path), endpoint]),
)
