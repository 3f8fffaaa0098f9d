import Koa from 'koa'
import { createAuthenticator } from '#console-api/authenticate.ts'
import { createConsoleHandler } from '#console-api/handler.ts'
import { createRestRouter } from '#rest/router.ts'
import { accessLog, describeRequest } from './middleware/access-log.ts'
import { refusals } from './middleware/refusals.ts'
import { requestId } from './middleware/request-id.ts'
import { securityHeaders } from './middleware/security-headers.ts'
import { consoleDoor } from './operations/console-door.ts'
import { docsRouter } from './operations/docs.ts'
import { healthRouter } from './operations/health.ts'
import { routesOf } from './operations/routes-of.ts'
import type { Services } from './services.ts'

export interface AppOptions {
  /** Whether the process is about to end: it is not ready for new work then. */
  isDraining?: () => boolean
  /** Further doors: the dashboard's pages, the metrics. */
  doors?: Koa.Middleware[]
}

/** The order in which a request passes through the service. */
export function createApp(
  services: Services,
  { isDraining = () => false, doors = [] }: AppOptions = {},
): Koa {
  const { config, log } = services
  const app = new Koa({ proxy: config.TRUST_PROXY > 0, maxIpsCount: config.TRUST_PROXY })
  app.on('error', error => log.warn({ err: error }, 'An answer could not be sent whole'))
  app.use(requestId)
  app.use(accessLog(log))
  app.use(securityHeaders(config.baseUrl))
  app.use(refusals(log))
  app.use(restRoutes(services))
  app.use(consoleRoutes(services))
  app.use(routesOf(healthRouter(services, isDraining)))
  app.use(routesOf(docsRouter(config.baseUrl)))
  for (const door of doors) app.use(door)
  return app
}

function restRoutes({ scopeFor, callbacks, keyUses }: Services): Koa.Middleware {
  const router = createRestRouter({
    scopeFor,
    callbacks,
    noteKeyUse: (apiKeyId, now) => keyUses.note(apiKeyId, now),
    describeRequest,
  })
  return routesOf(router)
}

function consoleRoutes({ config, outside, clock, rateLimiter, scopeFor, log }: Services): Koa.Middleware {
  const { issuer, audience } = outside.oidc
  const handler = createConsoleHandler({
    authenticate: createAuthenticator({ issuer, audience, clock }),
    createScope: scopeFor,
    limiter: rateLimiter,
    clock,
    report: (fault, at) => log.error({ ...at, code: fault.code, err: fault.cause }, 'failed'),
  })
  return consoleDoor(handler, config.dashboardUrl)
}
