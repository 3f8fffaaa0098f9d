import type { Middleware } from 'koa'
import type { Registry } from 'prom-client'
import { cacheBriefly } from '#domain/cache-briefly.ts'
import { describeRequest } from './access-log.ts'

/** The registry of one process, or the aggregated metrics of several. */
export type MetricsSource = Pick<Registry, 'metrics' | 'contentType'>

/** How long a text counts: anyone who reaches the port can ask for it, and it takes milliseconds. */
const cachedMs = 100

/** Serves `GET /metrics` in the Prometheus text format. */
export function serveMetrics(source: MetricsSource): Middleware {
  const readText = cacheBriefly(cachedMs, () => source.metrics())
  return async (ctx, next) => {
    if (ctx.path !== '/metrics' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return await next()
    describeRequest(ctx, { route: 'GET /metrics' })
    const text = await readText(undefined, performance.now())
    ctx.set('Content-Type', source.contentType)
    ctx.set('Cache-Control', 'no-store')
    ctx.body = text
  }
}
