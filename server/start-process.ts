import Koa from 'koa'
import type { Registry } from 'prom-client'
import { connectionOptions } from '#domain/database/connection-options.ts'
import { createApp } from './app.ts'
import { createWorkNotifications } from './background/work-notifications.ts'
import { startWorker } from './background/worker.ts'
import type { Config } from './config.ts'
import { distFolder } from './dashboard/ensure-build.ts'
import { serveDashboard } from './dashboard/serve-dashboard.ts'
import type { Dependencies } from './dependencies.ts'
import { handleErrors } from './http/error-handler.ts'
import { healthRouter } from './http/health.ts'
import { type Listening, listen } from './http/listen.ts'
import { type MetricsSource, serveMetrics } from './http/metrics.ts'
import { requestId } from './http/request-id.ts'
import { routesOf } from './http/routes-of.ts'
import type { Log } from './log.ts'
import { createLoadShedder, type LoadShedder } from './overload/load-shedder.ts'
import { shedLoad } from './overload/shed-load.ts'
import { createServices, type Services } from './services.ts'

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
  /** Maps the process's own registry to what `GET /metrics` serves; by default the registry itself. */
  metricsSource?: (own: Registry) => MetricsSource
}

export interface ServiceProcess {
  services: Services
  /** Stops accepting work, drains requests and jobs in flight, releases leases, and closes all connections. */
  close(): Promise<void>
}

/** Starts one process of the service: API, worker or both. Its dependencies must be running. */
export async function startProcess(options: ProcessOptions): Promise<ServiceProcess> {
  const { config, dependencies, log, roles } = options
  const applicationName = applicationNameOf(roles)
  const { databaseUrl, databaseDirectUrl = databaseUrl } = dependencies
  // A process without a worker only sends notifications, which needs no session.
  const connection = connectionOptions(roles.worker ? databaseDirectUrl : databaseUrl, { applicationName })
  const closing = new AsyncDisposableStack()
  let draining = false
  const isDraining = () => draining
  try {
    const notifications = createWorkNotifications({ roles, connection, log })
    closing.defer(() => notifications.close())
    const { notifier, notifyAll } = notifications
    const services = await createServices({ config, dependencies, log, notifier, applicationName })
    closing.defer(() => services.close())
    const metrics = options.metricsSource?.(services.registry) ?? services.registry
    // Requests and jobs drain concurrently: sequentially they could exceed the shutdown deadline.
    const drains: (() => Promise<void>)[] = []
    closing.defer(async () => void (await Promise.all(drains.map(drain => drain()))))
    if (roles.worker) {
      const worker = startWorker(services, notifyAll)
      drains.push(() => worker.close())
      notifications.listen(worker.wake)
    }
    if (roles.api) {
      const shedder = createLoadShedder(services)
      closing.defer(() => shedder.close())
      const { drain } = await listenForRequests(services, metrics, isDraining, shedder)
      drains.push(drain)
    }
    if (roles.metricsPort && config.metricsPort !== undefined) {
      const { drain } = await listenForMetrics(services, config.metricsPort, metrics, isDraining)
      drains.push(drain)
    }
    const close = closing.move()
    return {
      services,
      async close() {
        draining = true
        await close.disposeAsync()
      },
    }
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}

/** What `pg_stat_activity` shows for the connections of this process. */
function applicationNameOf({ api, worker }: ProcessRoles): string {
  if (api === worker) return 'age-verification'
  return api ? 'age-verification-api' : 'age-verification-worker'
}

async function listenForRequests(
  services: Services,
  metrics: MetricsSource,
  isDraining: () => boolean,
  shedder: LoadShedder,
): Promise<Listening> {
  const { host, port, metricsPort, baseUrl } = services.config
  const { oidc } = services.dependencies
  const dashboard = serveDashboard({ ...oidc, distFolder, baseUrl, consoleUrl: `${baseUrl}/console` })
  const middleware = metricsPort === undefined ? [serveMetrics(metrics), dashboard] : [dashboard]
  const app = createApp(services, { isDraining, middleware })
  return await listen(shedLoad(app.callback(), shedder, baseUrl), { host, port })
}

/** Serves metrics and health on a dedicated port, the only one that a worker has. */
async function listenForMetrics(
  services: Services,
  port: number,
  metrics: MetricsSource,
  isDraining: () => boolean,
): Promise<Listening> {
  const app = new Koa()
    .use(requestId)
    .use(handleErrors(services.log, services.requestMetrics))
    .use(routesOf(healthRouter(services, isDraining)))
    .use(serveMetrics(metrics))
  return await listen(app.callback(), { host: services.config.host, port, variable: 'METRICS_PORT' })
}
