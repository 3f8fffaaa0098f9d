import type { Middleware } from 'koa'
import type { Registry } from 'prom-client'
import { describeRequest } from './access-log.ts'

/** The registry of one process, or the aggregated metrics of several. */
export type MetricsSource = Pick<Registry, 'metrics' | 'contentType'>

/** Serves `GET /metrics` in the Prometheus text format. */
export function serveMetrics(source: MetricsSource): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/metrics' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return await next()
    describeRequest(ctx, { route: 'GET /metrics' })
    const text = await source.metrics()
    ctx.set('Content-Type', source.contentType)
    ctx.set('Cache-Control', 'no-store')
    ctx.body = text
  }
}
