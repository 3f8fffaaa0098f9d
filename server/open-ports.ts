import type { RequestListener, ServerResponse } from 'node:http'
import Koa from 'koa'
import { DomainError } from '#domain/errors.ts'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import { accessLog } from './http/access-log.ts'
import { handleErrors } from './http/error-handler.ts'
import type { Health } from './http/health.ts'
import { connectionsMax, type Listening, listen } from './http/listen.ts'
import { type MetricsSource, serveMetrics } from './http/metrics.ts'
import { requestId } from './http/request-id.ts'
import type { RequestMetrics } from './http/request-metrics.ts'
import { securityHeaders } from './http/security-headers.ts'
import type { Log } from './log.ts'
import { distFolder } from './pages/dashboard/ensure-build.ts'
import { serveDashboard } from './pages/dashboard/serve-dashboard.ts'
import type { Services } from './services.ts'

export interface PortOptions {
  config: Config
  dependencies: Dependencies
  log: Log
  requestMetrics: RequestMetrics
  metrics: MetricsSource
  health: () => Health
  /** Which of the ports this process has. */
  roles: { api: boolean; metricsPort: boolean }
}

export type Ports = Awaited<ReturnType<typeof openPorts>>

/**
 * Listens on METRICS_PORT at once, and on PORT when the service can serve, or has to wait: a process that replaces one which
 * has crashed leaves requests to the others until then. While it waits there are health and metrics, and every other request
 * is a `DATABASE_ERROR`.
 */
export async function openPorts(options: PortOptions) {
  const { config, roles } = options
  const { host, port, metricsPort, proxyCount } = config
  let handle: RequestListener = startingApp(options).callback()
  const listeners: Listening[] = []
  let opening: Promise<void> | undefined
  async function listenOnPort(): Promise<void> {
    // The connections of a proxy are those of all clients.
    const limits = proxyCount > 0 ? { connectionsPerAddressMax: connectionsMax } : {}
    listeners.push(await listen((...request) => handle(...request), { host, port }, limits))
  }
  async function open(): Promise<void> {
    if (!roles.api) return
    opening ??= listenOnPort()
    await opening
  }
  if (roles.metricsPort && metricsPort !== undefined) {
    const address = { host, port: metricsPort, variable: 'METRICS_PORT' } as const
    listeners.push(await listen(metricsApp(options).callback(), address))
  }
  return {
    /** Listens on PORT before the service can serve, in a process that has it. */
    open,
    /** Serves the application on PORT from now on. */
    async serve(services: Services): Promise<void> {
      const middleware = applicationPages(options)
      handle = createApp(services, { health: options.health(), middleware }).callback()
      await open()
    },
    endConnections(): void {
      for (const { endConnections } of listeners) endConnections()
    },
    async drain(reject?: (response: ServerResponse) => void): Promise<void> {
      await Promise.all(listeners.map(listener => listener.drain(reject)))
    },
  }
}

function startingApp({ config, log, requestMetrics, metrics, health }: PortOptions): Koa {
  return new Koa()
    .use(requestId)
    .use(accessLog(log, requestMetrics))
    .use(securityHeaders(config.baseUrl))
    .use(handleErrors(log, requestMetrics))
    .use((ctx, next) => health().routes(ctx, next))
    .use(config.metricsPort === undefined ? serveMetrics(metrics) : (_, next) => next())
    .use(() => {
      throw new DomainError('DATABASE_ERROR', { cause: new Error('The service is starting') })
    })
}

function applicationPages({ config, dependencies, metrics }: PortOptions): Koa.Middleware[] {
  const { baseUrl, metricsPort } = config
  const { oidc } = dependencies
  const dashboard = serveDashboard({ ...oidc, distFolder, baseUrl, consoleUrl: `${baseUrl}/console` })
  return metricsPort === undefined ? [serveMetrics(metrics), dashboard] : [dashboard]
}

/** Metrics and health on a dedicated port, the only one that a worker has. */
function metricsApp({ log, requestMetrics, metrics, health }: PortOptions): Koa {
  return new Koa()
    .use(requestId)
    .use(handleErrors(log, requestMetrics))
    .use((ctx, next) => health().routes(ctx, next))
    .use(serveMetrics(metrics))
}
