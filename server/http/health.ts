import { Router } from '@koa/router'
import { cacheBriefly } from '#domain/cache-briefly.ts'
import type { Services } from '../services.ts'

const timeoutMs = 2_000
/** How long dependencies that are up aren't probed again, so that requests of anyone cost one probe a second. */
const cachedMs = 1_000

type DependencyState = 'up' | 'down'

/**
 * `GET /health/live` is 200 while the process responds. `GET /health/ready` names each dependency, and is 503 if
 * one does not respond within 2 s or the process is shutting down. Where simulators replace real dependencies, it
 * names them.
 */
export function healthRouter(
  services: Pick<Services, 'database' | 'redis' | 'dependencies'>,
  isDraining: () => boolean,
): Router {
  const router = new Router({ strict: true, sensitive: true })
  router.get('/health/live', ctx => {
    ctx.body = { status: 'ok' }
  })
  const { database, redis } = services
  const probeDatabase = probe(() => database.pool.query({ name: 'health', text: 'select 1', values: [] }))
  const probeRedis = redis && probe(() => redis.ping())
  router.get('/health/ready', async ctx => {
    const [databaseState, redisState] = await Promise.all([probeDatabase(), probeRedis?.()])
    const dependencies = { database: databaseState, ...(redisState ? { redis: redisState } : {}) }
    const { simulators = [] } = services.dependencies
    const ready = !isDraining() && Object.values(dependencies).every(state => state === 'up')
    ctx.status = ready ? 200 : 503
    ctx.body = {
      status: isDraining() ? 'draining' : ready ? 'ok' : 'unavailable',
      dependencies,
      ...(simulators.length > 0 ? { simulators } : {}),
    }
  })
  return router
}

/** Probes a dependency. Requests share a probe, and its result for a second if the dependency is up. */
function probe(send: () => Promise<unknown>): () => Promise<DependencyState> {
  const cached = cacheBriefly(cachedMs, () => inTime(send()))
  return async () => {
    try {
      await cached(undefined, performance.now())
      return 'up'
    } catch {
      return 'down'
    }
  }
}

async function inTime(probe: Promise<unknown>): Promise<void> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error('timeout')), timeoutMs)
  try {
    await Promise.race([probe, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
