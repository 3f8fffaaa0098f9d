import type { Router } from '@koa/router'
import Koa from 'koa'
import { createAuthenticator } from '#console-api/authenticate.ts'
import { createConsoleHandler } from '#console-api/handler.ts'
import { createIssuerKeys } from '#console-api/issuer-keys.ts'
import { createIdTokenReader } from '#console-api/read-id-token.ts'
import type { RestServices } from '#rest/ports.ts'
import { createRestRouter, type Features } from '#rest/router.ts'
import { accessLog, describeRequest, requestParts } from './http/access-log.ts'
import { handleErrors } from './http/error-handler.ts'
import { createHealth, type Health } from './http/health.ts'
import { jsonResponder } from './http/json-responder.ts'
import { consolePath, mountConsole } from './http/mount-console.ts'
import { requestId } from './http/request-id.ts'
import { securityHeaders } from './http/security-headers.ts'
import { toMiddleware } from './http/to-middleware.ts'
import { warnOfUntrustedProxy } from './http/untrusted-proxy.ts'
import { openApiRouter } from './pages/docs/openapi-router.ts'
import { acceptsHtml } from './pages/html/accepts-html.ts'
import { returnRouter } from './pages/return-router.ts'
import { hashSignIn, type Services } from './services.ts'

interface AppOptions {
  /** By default what the services alone say. */
  health?: Health
  /** Middleware after the service's own: the dashboard's pages, the metrics. */
  middleware?: Koa.Middleware[]
}

/** Creates the HTTP application. Requests pass through the middleware in the order of this table. */
export function createApp(services: Services, { health, middleware = [] }: AppOptions = {}): Koa {
  const { config, log, requestMetrics, concurrency, testPages, scopeFor } = services
  const features = { testTenants: testPages !== undefined }
  const app = new Koa({ proxy: config.proxyCount > 0, maxIpsCount: config.proxyCount })
  app.on('error', error => {
    if (!isDisconnect(error)) log.warn({ err: error }, 'Sending a response failed')
  })
  const steps: Koa.Middleware[] = [
    concurrency.middleware,
    requestId,
    accessLog(log, requestMetrics),
    warnOfUntrustedProxy(log, config.proxyCount),
    securityHeaders(config.baseUrl),
    handleErrors(log, requestMetrics),
    restRoutes(services, features),
    consoleRoutes(services),
    (health ?? createHealth(services)).routes,
    ...(testPages ? [testPages] : []),
    toMiddleware(returnRouter(() => scopeFor({ kind: 'service' }))),
    toMiddleware(openApiRouter(config.baseUrl, features)),
    lazyRoutes(/^\/(docs\b|llms\.txt$)/, () => loadDocs(config.baseUrl, features)),
    lazyRoutes(/^\/practice-statement\b/, () => loadPracticeStatement(services)),
    lazyRoutes(/^\/evidence\b/, () => loadEvidence(config.baseUrl)),
    redirectToDocs(config.baseUrl),
    ...middleware,
  ]
  for (const step of steps) app.use(step)
  return app
}

/** A client that doesn't take the whole response. Its line in the access log says so. */
function isDisconnect(error: NodeJS.ErrnoException): boolean {
  return ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes(error.code ?? '')
}

/** Routes that are loaded, and their pages generated, for the first request: the documentation takes a tenth of a start. */
function lazyRoutes(paths: RegExp, load: () => Promise<Router>): Koa.Middleware {
  let routes: Promise<Koa.Middleware> | undefined
  return async (ctx, next) => {
    if (!paths.test(ctx.path)) return await next()
    routes ??= load().then(toMiddleware)
    return await (await routes)(ctx, next)
  }
}

async function loadDocs(baseUrl: string, features: Features): Promise<Router> {
  const { docsRouter } = await import('./pages/docs/docs-router.ts')
  return await docsRouter(baseUrl, features)
}

async function loadPracticeStatement({ config, scopeFor }: Services): Promise<Router> {
  const { practiceRouter } = await import('./pages/practice-statement/practice-router.ts')
  return practiceRouter(config.baseUrl, () => scopeFor({ kind: 'service' }))
}

async function loadEvidence(baseUrl: string): Promise<Router> {
  const { evidenceRouter } = await import('./pages/evidence/evidence-router.ts')
  return evidenceRouter(baseUrl)
}

/** Redirects browsers that open `/` to the documentation. For other clients it remains an unknown route. */
function redirectToDocs(baseUrl: string): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return await next()
    if (!acceptsHtml(ctx)) return await next()
    describeRequest(ctx, { route: 'GET /' })
    ctx.redirect(`${baseUrl}/docs`)
  }
}

/** What the verbs that a request runs have of it. */
function requestOf({ log, concurrency }: Services) {
  return (ctx: Koa.Context) => requestParts(log, ctx, concurrency)
}

function restRoutes(services: Services, features: Features): Koa.Middleware {
  const { config, clock, scopeFor, keyAdmission, keyUse, callbacks, countCallback, concurrency } = services
  const adapters: RestServices = {
    clock,
    scopeFor,
    requestOf: requestOf(services),
    admission: keyAdmission,
    callbacks,
    countCallback,
    takeCallbackPlace: concurrency.takeCallbackPlace,
    responder: jsonResponder(config.baseUrl),
    recordKeyUse: keyUse.record,
    describeRequest,
  }
  return toMiddleware(createRestRouter(adapters, features))
}

function consoleRoutes(services: Services): Koa.Middleware {
  const { config, dependencies, clock, counter, knownSignIns, scopeFor, requestMetrics, log } = services
  const { issuer, audience, clientId } = dependencies.oidc
  const keys = createIssuerKeys({ issuer })
  const handler = createConsoleHandler({
    authenticate: createAuthenticator({ issuer, audience, clientId, clock, keys }),
    readIdToken: createIdTokenReader({ issuer, clientId, clock, keys }),
    createScope: scopeFor,
    counter,
    clock,
    memberServed: (authorization, tenantId) => knownSignIns.add(hashSignIn(authorization), tenantId),
    countError: code => requestMetrics.errorSent(consolePath, code),
    report: (error, at) => log.error({ ...at, code: error.code, err: error.cause }, 'Request failed'),
  })
  return mountConsole(handler, config.dashboardUrl, requestOf(services))
}
