import Koa from 'koa'
import { createAuthenticator } from '#console-api/authenticate.ts'
import { createConsoleHandler } from '#console-api/handler.ts'
import { createRestRouter } from '#rest/router.ts'
import { docsRouter } from './docs/docs-router.ts'
import { accessLog, describeRequest } from './http/access-log.ts'
import { handleErrors } from './http/error-handler.ts'
import { healthRouter } from './http/health.ts'
import { mountConsole } from './http/mount-console.ts'
import { requestId } from './http/request-id.ts'
import { routesOf } from './http/routes-of.ts'
import { securityHeaders } from './http/security-headers.ts'
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
  app.use(handleErrors(log))
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
    noteKeyUse: (key, now) => keyUses.note(key, now),
    describeRequest,
  })
  return routesOf(router)
}

function consoleRoutes({
  config,
  dependencies,
  clock,
  rateLimiter,
  scopeFor,
  log,
}: Services): Koa.Middleware {
  const { issuer, audience } = dependencies.oidc
  const handler = createConsoleHandler({
    authenticate: createAuthenticator({ issuer, audience, clock }),
    createScope: scopeFor,
    limiter: rateLimiter,
    clock,
    report: (fault, at) => log.error({ ...at, code: fault.code, err: fault.cause }, 'failed'),
  })
  return mountConsole(handler, config.dashboardUrl)
}
