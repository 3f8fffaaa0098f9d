import type { Middleware } from 'koa'
import type { Registry } from 'prom-client'
import { cacheBriefly } from '#domain/cache-briefly.ts'
import { describeRequest } from './access-log.ts'

/** How long a text counts: anyone who reaches the port can ask for it, and it takes milliseconds. */
const cachedMs = 100

/** Serves `GET /metrics` in the Prometheus text format. */
export function serveMetrics(registry: Registry): Middleware {
  const readText = cacheBriefly(cachedMs, () => registry.metrics())
  return async (ctx, next) => {
    if (ctx.path !== '/metrics' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return await next()
    describeRequest(ctx, { route: 'GET /metrics' })
    const text = await readText(undefined, performance.now())
    ctx.set('Content-Type', registry.contentType)
    ctx.set('Cache-Control', 'no-store')
    ctx.body = text
  }
}
