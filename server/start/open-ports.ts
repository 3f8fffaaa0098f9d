import type { RequestListener, ServerResponse } from 'node:http'
import Koa from 'koa'
import type { Registry } from 'prom-client'
import { DomainError } from '#domain/errors.ts'
import { createApp } from '../app.ts'
import type { Config } from '../configuration/config.ts'
import type { Dependencies } from '../configuration/dependencies.ts'
import { accessLog } from '../http/access-log.ts'
import { handleErrors } from '../http/error-handler.ts'
import { createHealth, type Health, type HealthOptions, type ProbedServices } from '../http/health.ts'
import { connectionsMax, type Listening, listen } from '../http/listen.ts'
import { serveMetrics } from '../http/metrics.ts'
import { requestId } from '../http/request-id.ts'
import type { RequestMetrics } from '../http/request-metrics.ts'
import { securityHeaders } from '../http/security-headers.ts'
import type { Log } from '../logging/log.ts'
import { serveDashboard } from '../pages/dashboard/serve-dashboard.ts'
import type { Services } from '../services.ts'
import { addDependencyMetrics } from '../telemetry/dependency-metrics.ts'

export interface PortOptions {
  config: Config
  dependencies: Dependencies
  log: Log
  registry: Registry
  requestMetrics: RequestMetrics
  /** Whether it has PORT, too. */
  servesRequests: boolean
  informative?: HealthOptions['informative']
}

interface Served extends Pick<PortOptions, 'config' | 'dependencies' | 'log' | 'requestMetrics'> {
  metrics: Registry
  /** It changes when the services are there. */
  health: () => Health
}

/**
 * Listens on METRICS_PORT at once, and on PORT when the service can serve, or has to wait: a process that replaces one which
 * has crashed leaves requests to the others until then. While it waits there are health and metrics, and every other request
 * is a `DATABASE_ERROR`.
 */
export async function openPorts(options: PortOptions) {
  const { config, dependencies, log, registry, requestMetrics, servesRequests, ...probed } = options
  let isDraining = false
  const probe = (services: Pick<ProbedServices, 'database' | 'redis'>) =>
    createHealth({ config, dependencies, ...services }, { isDraining: () => isDraining, ...probed })
  let health = probe(notOpened)
  addDependencyMetrics(registry, () => health.readStates())
  const served = { config, dependencies, log, requestMetrics, metrics: registry, health: () => health }
  const listeners: Listening[] = []
  listeners.push(...(await listenOnMetricsPort(served)))
  let handle: RequestListener = startingApp(served).callback()
  let opening: Promise<void> | undefined
  async function open(): Promise<void> {
    if (!servesRequests) return
    opening ??= listenOnPort(config, (...request) => handle(...request)).then(
      opened => void listeners.push(opened),
    )
    await opening
  }
  return {
    /** Listens on PORT before the service can serve, in a process that has it. */
    open,
    /** Serves the application from now on, and is ready while what it needs is. */
    async serve(services: Services): Promise<void> {
      const latest = probe(services)
      if (servesRequests) {
        const middleware = applicationPages(served)
        handle = createApp(services, { health: latest, middleware }).callback()
      }
      await open()
      health = latest
    },
    /** Reports that it is not ready; each connection ends with its next response. */
    beginDraining(): void {
      isDraining = true
      for (const { endConnections } of listeners) endConnections()
    },
    async drain(reject?: (response: ServerResponse) => void): Promise<void> {
      await Promise.all(listeners.map(listener => listener.drain(reject)))
    },
  }
}

/** Before the services are there. What is known of Redis then is nothing. */
const notOpened = {
  database: { probe: () => Promise.reject(new Error('The service is starting')) },
  redis: undefined,
}

async function listenOnPort({ host, port, proxyCount }: Config, handle: RequestListener): Promise<Listening> {
  // The connections of a proxy are those of all clients.
  const limits = proxyCount > 0 ? { connectionsPerAddressMax: connectionsMax } : {}
  return await listen(handle, { host, port }, limits)
}

async function listenOnMetricsPort(served: Served): Promise<Listening[]> {
  const { host, metricsPort: port } = served.config
  if (port === undefined) return []
  return [await listen(metricsApp(served).callback(), { host, port, variable: 'METRICS_PORT' })]
}

function startingApp({ config, log, requestMetrics, metrics, health }: Served): Koa {
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

function applicationPages({ config, dependencies, metrics }: Served): Koa.Middleware[] {
  const { baseUrl, metricsPort } = config
  const { oidc } = dependencies
  const dashboard = serveDashboard({ ...oidc, baseUrl, consoleUrl: `${baseUrl}/console` })
  return metricsPort === undefined ? [serveMetrics(metrics), dashboard] : [dashboard]
}

/** Metrics and health on a dedicated port, the only one that a worker has. */
function metricsApp({ log, requestMetrics, metrics, health }: Served): Koa {
  return new Koa()
    .use(requestId)
    .use(handleErrors(log, requestMetrics))
    .use((ctx, next) => health().routes(ctx, next))
    .use(serveMetrics(metrics))
}
