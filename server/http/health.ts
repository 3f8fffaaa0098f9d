import { Router } from '@koa/router'
import type { Services } from '../services.ts'

const timeoutMs = 2_000

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
  router.get('/health/ready', async ctx => {
    const { database, redis } = services
    const [databaseState, redisState] = await Promise.all([
      stateOf(database.pool.query({ name: 'health', text: 'select 1', values: [] })),
      redis && stateOf(redis.ping()),
    ])
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

async function stateOf(probe: Promise<unknown>): Promise<DependencyState> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error('timeout')), timeoutMs)
  try {
    await Promise.race([probe, timeout.promise])
    return 'up'
  } catch {
    return 'down'
  } finally {
    clearTimeout(timer)
  }
}
