import { Router } from '@koa/router'
import type { Context } from 'koa'
import { cacheBriefly } from '#domain/cache-briefly.ts'
import { toMiddleware } from './to-middleware.ts'

/** Shorter than the default timeout of common probes (1 s), so that they get a response in any case. */
const deadlineMs = 800
/** How long a result counts, so that requests of anyone cost one probe a second. */
const cachedMs = 1_000

export interface HealthOptions {
  /** Whether the process is shutting down, which makes it report that it is not ready. */
  isDraining?: (() => boolean) | undefined
  /** What is known already of the sign-in provider and of workers: it is reported, and makes no process unready. */
  informative?: Record<'signInProvider' | 'worker', () => DependencyState | undefined> | undefined
}

/** What the health of a process depends on, of its services. */
export interface ProbedServices {
  config: { role: string }
  dependencies: { simulators?: readonly string[] }
  database: { probe(): Promise<unknown> }
  redis: { probe(): Promise<unknown> } | undefined
}

export type DependencyState = 'up' | 'down'
export type DependencyStates = Record<string, DependencyState>
/** Undefined while the state is not known. */
type Probe = () => Promise<DependencyState | undefined>
type Probes = Record<string, Probe | undefined>

export type Health = ReturnType<typeof createHealth>

/** Probes the dependencies of a process, for its readiness and its metrics. */
export function createHealth(
  { config, database, redis, dependencies }: ProbedServices,
  { isDraining = () => false, informative }: HealthOptions = {},
) {
  const callbacks: Probes = {
    database: createProbe(() => database.probe()),
  }
  const needsRedis = config.role !== 'worker'
  const tenantApi: Probes = {
    ...callbacks,
    redis: redis && needsRedis ? createProbe(() => redis.probe()) : undefined,
  }
  const known: Probes = informative
    ? {
        signInProvider: async () => informative.signInProvider(),
        worker: async () => informative.worker(),
      }
    : {}
  const isUp = (states: DependencyStates) => Object.values(states).every(state => state === 'up')
  async function report(ctx: Context, probes: Probes, informative: Probes = {}): Promise<void> {
    const [states, others] = await Promise.all([readStates(probes), readStates(informative)])
    const isReady = !isDraining() && isUp(states)
    const { simulators = [] } = dependencies
    ctx.status = isReady ? 200 : 503
    ctx.body = {
      status: isDraining() ? 'draining' : isReady ? 'ok' : 'unavailable',
      dependencies: { ...states, ...others },
      ...(simulators.length > 0 ? { simulators } : {}),
    }
  }
  const router = new Router({ strict: true, sensitive: true })
  router.get('/health/live', ctx => {
    ctx.body = { status: 'ok' }
  })
  router.get('/health/ready', ctx => report(ctx, tenantApi, known))
  router.get('/health/ready/callbacks', ctx => report(ctx, callbacks))
  return {
    /**
     * `GET /health/live` is 200 while the process responds. `GET /health/ready` names each dependency of the tenant API
     * and the console, and whether a worker runs; it is 503 if one of the first is down or the process is shutting down. `GET
     * /health/ready/callbacks` is the same for the provider's callbacks, which need no Redis; nor does a worker. Where
     * simulators replace real dependencies, both name them.
     */
    routes: toMiddleware(router),
    /** The state of each dependency that is known. */
    readStates: () => readStates({ ...tenantApi, ...known }),
  }
}

async function readStates(probes: Probes): Promise<DependencyStates> {
  const entries = Object.entries(probes).map(async ([name, probe]) => [name, await probe?.()] as const)
  const known = (await Promise.all(entries)).filter(([, state]) => state !== undefined)
  return Object.fromEntries(known) as DependencyStates
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
