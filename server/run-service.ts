import { join } from 'node:path'
import Koa from 'koa'
import { createApp } from './app.ts'
import { createBells } from './bells.ts'
import type { Config } from './config.ts'
import { ensureBuild } from './dashboard/ensure-build.ts'
import { serveDashboard } from './dashboard/serve-dashboard.ts'
import { type Listening, listen } from './listen.ts'
import type { Log } from './log.ts'
import { serveMetrics } from './operations/metrics.ts'
import type { Outside } from './outside.ts'
import { createServices, type Services } from './services.ts'
import { startWorker } from './worker.ts'

export interface ServiceProcess {
  services: Services
  port: number | undefined
  /** Takes nothing new, finishes what is in flight, hands jobs back, and closes everything that it opened. */
  close(): Promise<void>
}

/** One process of the service: API, worker or both. What it depends on is there already. */
export async function runService(config: Config, outside: Outside, log: Log): Promise<ServiceProcess> {
  const closing = new AsyncDisposableStack()
  let draining = false
  try {
    const bells = createBells(config, outside.databaseUrl, log)
    const services = await createServices({ config, outside, log, bell: bells.bell })
    closing.defer(() => services.close())
    closing.defer(() => bells.close())
    if (config.ROLE !== 'api') {
      const worker = startWorker(services)
      closing.defer(() => worker.close())
      bells.listen(worker.wake)
    }
    let listening: Listening | undefined
    if (config.ROLE !== 'worker') {
      const doors = [...metricsDoors(services), await dashboard(services)]
      const app = createApp(services, { isDraining: () => draining, doors })
      listening = await listen(app, { host: config.HOST, port: config.PORT })
      closing.defer(listening.drain)
    }
    const metrics = await listenForMetrics(services)
    if (metrics) closing.defer(metrics.drain)
    const close = closing.move()
    return {
      services,
      port: listening?.port,
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

/** On the service's own port, unless the metrics have one of theirs. */
function metricsDoors({ config, registry }: Services): Koa.Middleware[] {
  return config.METRICS_PORT === undefined ? [serveMetrics(registry)] : []
}

async function listenForMetrics({ config, registry }: Services): Promise<Listening | undefined> {
  if (config.METRICS_PORT === undefined) return undefined
  const app = new Koa().use(serveMetrics(registry))
  return await listen(app, { host: config.HOST, port: config.METRICS_PORT })
}

async function dashboard({ config, outside, log }: Services): Promise<Koa.Middleware> {
  const { baseUrl } = config
  const folder = join(import.meta.dirname, '..', 'dashboard')
  const distFolder = await ensureBuild({ folder, tell: line => log.info(line) })
  return serveDashboard({ distFolder, baseUrl, consoleUrl: `${baseUrl}/console`, ...outside.oidc })
}
