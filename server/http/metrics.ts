import type { Middleware } from 'koa'
import { collectDefaultMetrics, Registry } from 'prom-client'

/** A registry of this process, with its own figures: CPU, memory, event loop, garbage collection. */
export function createMetricsRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

/** A registry, or what stands for those of several processes. */
export type FiguresSource = Pick<Registry, 'metrics' | 'contentType'>

/** `GET /metrics` in Prometheus' text format; leaves all else to others. */
export function serveMetrics(figures: FiguresSource): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/metrics' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return await next()
    const text = await figures.metrics()
    ctx.set('Content-Type', figures.contentType)
    ctx.set('Cache-Control', 'no-store')
    ctx.body = text
  }
}
