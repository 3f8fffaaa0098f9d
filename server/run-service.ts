import { join } from 'node:path'
import Koa from 'koa'
import type { Registry } from 'prom-client'
import { createApp } from './app.ts'
import { createWorkNotifications } from './background/notifications.ts'
import { startWorker } from './background/worker.ts'
import type { Config } from './config.ts'
import { serveDashboard } from './dashboard/serve-dashboard.ts'
import type { Dependencies } from './dependencies.ts'
import { healthRouter } from './http/health.ts'
import { type Listening, listen } from './http/listen.ts'
import { type FiguresSource, serveMetrics } from './http/metrics.ts'
import { routesOf } from './http/routes-of.ts'
import type { Log } from './log.ts'
import { createServices, type Services } from './services.ts'

/** What one process does of all that the service does. */
export interface Duties {
  /** Answers requests on PORT. */
  api: boolean
  /** Delivers events and does the background work. */
  worker: boolean
  /** Shows figures and health on METRICS_PORT, where it is set. */
  metricsPort: boolean
}

export interface ProcessOptions {
  config: Config
  dependencies: Dependencies
  log: Log
  duties: Duties
  /** What `GET /metrics` shows, from this process's own figures; those alone by default. */
  figures?: (own: Registry) => FiguresSource
}

export interface ServiceProcess {
  services: Services
  /** Takes nothing new, finishes what is in flight, hands jobs back, and closes everything that it opened. */
  close(): Promise<void>
}

/** The dashboard's source; its `dist` is what is served. */
export const dashboardFolder = join(import.meta.dirname, '..', 'dashboard')

/** One process of the service: API, worker or both. What it depends on is there already. */
export async function runService(options: ProcessOptions): Promise<ServiceProcess> {
  const { config, dependencies, log, duties } = options
  const closing = new AsyncDisposableStack()
  let draining = false
  try {
    const notifications = createWorkNotifications({ duties, databaseUrl: dependencies.databaseUrl, log })
    closing.defer(() => notifications.close())
    const services = await createServices({ config, dependencies, log, notifier: notifications.notifier })
    closing.defer(() => services.close())
    const figures = options.figures?.(services.registry) ?? services.registry
    // Requests and jobs finish side by side: one after the other they could take longer than the process has.
    const inFlight: (() => Promise<void>)[] = []
    closing.defer(async () => void (await Promise.all(inFlight.map(finish => finish()))))
    if (duties.worker) {
      const worker = startWorker(services)
      inFlight.push(() => worker.close())
      notifications.listen(worker.wake)
    }
    if (duties.api) inFlight.push((await openDoors(services, figures, () => draining)).drain)
    if (duties.metricsPort && config.METRICS_PORT !== undefined) {
      inFlight.push((await openOperations(services, config.METRICS_PORT, figures, () => draining)).drain)
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

async function openDoors(
  services: Services,
  figures: FiguresSource,
  isDraining: () => boolean,
): Promise<Listening> {
  const { HOST: host, PORT: port, METRICS_PORT } = services.config
  const doors = [...(METRICS_PORT === undefined ? [serveMetrics(figures)] : []), dashboard(services)]
  return await listen(createApp(services, { isDraining, doors }), { host, port })
}

/** What only its operators ask the service, on a port of its own: a worker has no other. */
async function openOperations(
  services: Services,
  port: number,
  figures: FiguresSource,
  isDraining: () => boolean,
): Promise<Listening> {
  const app = new Koa().use(routesOf(healthRouter(services, isDraining))).use(serveMetrics(figures))
  return await listen(app, { host: services.config.HOST, port, variable: 'METRICS_PORT' })
}

function dashboard({ config, dependencies }: Services): Koa.Middleware {
  const { baseUrl } = config
  const distFolder = join(dashboardFolder, 'dist')
  return serveDashboard({ distFolder, baseUrl, consoleUrl: `${baseUrl}/console`, ...dependencies.oidc })
}
