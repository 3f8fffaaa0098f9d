import type { Router } from '@koa/router'
import type { Middleware } from 'koa'

/** The router's own type of middleware is Koa's, narrowed to contexts that it makes itself. */
export function routesOf(router: Router): Middleware {
  return router.routes() as unknown as Middleware
}
