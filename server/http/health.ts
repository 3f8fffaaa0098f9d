import { Router } from '@koa/router'
import type { Context } from 'koa'
import { cacheBriefly } from '#domain/cache-briefly.ts'

/** Shorter than the default timeout of common probes (1 s), so that they get a response in any case. */
const deadlineMs = 800
/** How long a result counts, so that requests of anyone cost one probe a second. */
const cachedMs = 1_000

export interface HealthOptions {
  /** Whether the process is shutting down, which makes it report that it is not ready. */
  isDraining?: (() => boolean) | undefined
  /** In the primary of a cluster: whether any API process serves requests. */
  hasApiProcess?: (() => boolean) | undefined
}

/** What the health of a process depends on, of its services. */
interface ProbedServices {
  config: { role: string }
  dependencies: { simulators?: readonly string[] }
  database: { probe(): Promise<unknown> }
  redis: { probe(): Promise<unknown> } | undefined
}

type DependencyState = 'up' | 'down'
type Probe = () => Promise<DependencyState>
type Probes = Record<string, Probe | undefined>

/**
 * `GET /health/live` is 200 while the process responds. `GET /health/ready` names each dependency of the tenant API, and
 * is 503 if one is down or the process is shutting down. `GET /health/ready/callbacks` is the same for the provider's
 * callbacks, which need no Redis; nor does a worker. Where simulators replace real dependencies, both name them.
 */
export function healthRouter(
  { config, database, redis, dependencies }: ProbedServices,
  { isDraining = () => false, hasApiProcess }: HealthOptions = {},
): Router {
  const router = new Router({ strict: true, sensitive: true })
  router.get('/health/live', ctx => {
    ctx.body = { status: 'ok' }
  })
  const callbacks: Probes = {
    database: createProbe(() => database.probe()),
    apiProcesses: hasApiProcess && (async () => (hasApiProcess() ? 'up' : 'down')),
  }
  const needsRedis = config.role !== 'worker'
  const tenantApi: Probes = {
    ...callbacks,
    redis: redis && needsRedis ? createProbe(() => redis.probe()) : undefined,
  }
  async function report(ctx: Context, probes: Probes): Promise<void> {
    const states = await readStates(probes)
    const isReady = !isDraining() && Object.values(states).every(state => state === 'up')
    const { simulators = [] } = dependencies
    ctx.status = isReady ? 200 : 503
    ctx.body = {
      status: isDraining() ? 'draining' : isReady ? 'ok' : 'unavailable',
      dependencies: states,
      ...(simulators.length > 0 ? { simulators } : {}),
    }
  }
  router.get('/health/ready', ctx => report(ctx, tenantApi))
  router.get('/health/ready/callbacks', ctx => report(ctx, callbacks))
  return router
}

async function readStates(probes: Probes): Promise<Record<string, DependencyState>> {
  const entries = Object.entries(probes).map(
    async ([name, probe]) => probe && ([name, await probe()] as const),
  )
  return Object.fromEntries((await Promise.all(entries)).filter(entry => entry !== undefined))
}

/** A dependency is up if `send` resolves within 800 ms. Requests share a probe, and its result for a second. */
function createProbe(send: () => Promise<unknown>): Probe {
  const cached = cacheBriefly(cachedMs, async (): Promise<DependencyState> => {
    try {
      await inTime(send())
      return 'up'
    } catch {
      return 'down'
    }
  })
  return () => cached(undefined, performance.now())
}

async function inTime(sent: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>()
  // After a pause of this process, a response may have arrived that has not been read yet.
  const timer = setTimeout(() => setImmediate(() => late.reject(new Error('timeout'))), deadlineMs)
  try {
    await Promise.race([sent, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
