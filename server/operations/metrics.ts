import type { Middleware } from 'koa'
import { collectDefaultMetrics, Registry } from 'prom-client'

/** A registry of this process, with its own figures: CPU, memory, event loop, garbage collection. */
export function createMetricsRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

/** `GET /metrics` in Prometheus' text format; leaves all else to others. */
export function serveMetrics(registry: Registry): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/metrics' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return await next()
    const text = await registry.metrics()
    ctx.set('Content-Type', registry.contentType)
    ctx.set('Cache-Control', 'no-store')
    ctx.body = text
  }
}
