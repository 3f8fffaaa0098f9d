import { setTimeout as wait } from 'node:timers/promises'
import Koa from 'koa'
import type { Registry } from 'prom-client'
import { DomainError } from '#domain/errors.ts'
import { connectionOptions } from '#domain/postgres/index.ts'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import { handleErrors } from './http/error-handler.ts'
import { errorResponder } from './http/error-responder.ts'
import { type HealthOptions, healthRouter } from './http/health.ts'
import { connectionsMax, type Listening, listen } from './http/listen.ts'
import { type MetricsSource, serveMetrics } from './http/metrics.ts'
import { requestId } from './http/request-id.ts'
import { addWaitMetrics } from './http/request-metrics.ts'
import { toMiddleware } from './http/to-middleware.ts'
import type { Log } from './log.ts'
import { createProcessNotifications } from './notifications/process-notifications.ts'
import { distFolder } from './pages/dashboard/ensure-build.ts'
import { serveDashboard } from './pages/dashboard/serve-dashboard.ts'
import { createServices, type Services } from './services.ts'
import { startWorker } from './start-worker.ts'
import { addListeningMetric } from './telemetry/database-metrics.ts'

/** What one process of the service does. */
export interface ProcessRoles {
  /** Serves requests on PORT. */
  api: boolean
  /** Delivers webhook events and runs the background tasks. */
  worker: boolean
  /** Serves metrics and health on METRICS_PORT, if that is set. */
  metricsPort: boolean
}

export interface ProcessOptions {
  config: Config
  dependencies: Dependencies
  log: Log
  roles: ProcessRoles
  /** In the primary of a cluster: whether any API process serves requests. */
  hasApiProcess?: () => boolean
  /** Maps the process's own registry to what `GET /metrics` serves; by default the registry itself. */
  metricsSource?: (own: Registry) => MetricsSource
}

export interface ServiceProcess {
  services: Services
  /**
   * Reports that it is not ready and serves requests for SHUTDOWN_DELAY; then stops accepting work, drains requests and
   * jobs in flight, releases leases, and closes all connections. A worker doesn't wait: no requests are routed to it.
   */
  close(): Promise<void>
}

/** When the provider's responses are no longer waited for, so that starts are answered before the drain ends. */
const providerMsMax = 6_000

/** Starts one process of the service: API, worker or both. Its dependencies must be running. */
export async function startProcess(options: ProcessOptions): Promise<ServiceProcess> {
  const { config, dependencies, log, roles } = options
  const applicationName = chooseApplicationName(roles)
  const { databaseUrl, databaseDirectUrl = databaseUrl } = dependencies
  const connection = connectionOptions(databaseDirectUrl, { applicationName })
  await using closing = new AsyncDisposableStack()
  let draining = false
  const health = { isDraining: () => draining, hasApiProcess: options.hasApiProcess }
  const notifications = createProcessNotifications({ roles, connection, log })
  closing.defer(() => notifications.close())
  const { notifier, statusChanges, statusWaits } = notifications
  const parts = { config, dependencies, log, notifier, statusChanges, applicationName }
  const services = await createServices(parts)
  closing.defer(() => services.close())
  const metrics = options.metricsSource?.(services.registry) ?? services.registry
  // Requests and jobs drain concurrently: sequentially they could exceed the shutdown deadline.
  const drains: (() => Promise<void>)[] = []
  const listeners: Listening[] = []
  const reject = errorResponder(shuttingDown, config.baseUrl)
  closing.defer(async () => {
    const hanging = setTimeout(() => void services.closeProvider(), providerMsMax)
    await Promise.all([...drains.map(drain => drain()), ...listeners.map(({ drain }) => drain(reject))])
    clearTimeout(hanging)
  })
  if (roles.worker) {
    const worker = startWorker(services, notifications.notifyAll)
    drains.push(() => worker.close())
    notifications.listen(worker.wake)
  } else if (roles.api) {
    notifications.listen()
  }
  if (roles.worker || roles.api) addListeningMetric(services.registry, notifications.isListening)
  if (roles.api) {
    drains.push(async () => statusWaits.end())
    addWaitMetrics(services.registry, statusWaits)
    listeners.push(await listenForRequests(services, metrics, health))
  }
  if (roles.metricsPort && config.metricsPort !== undefined) {
    listeners.push(await listenForMetrics(services, config.metricsPort, metrics, health))
  }
  const close = closing.move()
  return {
    services,
    async close() {
      draining = true
      for (const { endConnections } of listeners) endConnections()
      if (config.role !== 'worker') await wait(config.shutdownDelayMs)
      await close.disposeAsync()
    },
  }
}

const shuttingDown = new DomainError('INTERNAL_ERROR', {
  message: 'The service is shutting down and could not finish the request; retry.',
  details: { reason: 'shutting_down', retryAfterSeconds: 1 },
})

/** What `pg_stat_activity` shows for the connections of this process. */
function chooseApplicationName({ api, worker }: ProcessRoles): string {
  if (api === worker) return 'age-verification'
  return api ? 'age-verification-api' : 'age-verification-worker'
}

async function listenForRequests(
  services: Services,
  metrics: MetricsSource,
  health: HealthOptions,
): Promise<Listening> {
  const { host, port, metricsPort, baseUrl, proxyCount } = services.config
  const { oidc } = services.dependencies
  const dashboard = serveDashboard({ ...oidc, distFolder, baseUrl, consoleUrl: `${baseUrl}/console` })
  const middleware = metricsPort === undefined ? [serveMetrics(metrics), dashboard] : [dashboard]
  const app = createApp(services, { ...health, middleware })
  // The connections of a proxy are those of all clients.
  const limits = proxyCount > 0 ? { connectionsPerAddressMax: connectionsMax } : {}
  return await listen(app.callback(), { host, port }, limits)
}

/** Serves metrics and health on a dedicated port, the only one that a worker has. */
async function listenForMetrics(
  services: Services,
  port: number,
  metrics: MetricsSource,
  health: HealthOptions,
): Promise<Listening> {
  const app = new Koa()
    .use(requestId)
    .use(handleErrors(services.log, services.requestMetrics))
    .use(toMiddleware(healthRouter(services, health)))
    .use(serveMetrics(metrics))
  return await listen(app.callback(), { host: services.config.host, port, variable: 'METRICS_PORT' })
}
