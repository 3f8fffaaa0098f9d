import type { Router } from '@koa/router'
import type { Middleware } from 'koa'

/** Returns a router as Koa middleware; the router's own type is narrowed to contexts that it creates. */
export function toMiddleware(router: Router): Middleware {
  return router.routes() as unknown as Middleware
}
