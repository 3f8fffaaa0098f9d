import { setTimeout as wait } from 'node:timers/promises'
import { DomainError } from '#domain/errors.ts'
import { WaitingRequests } from '#domain/fairness/waiting-requests.ts'
import type { WakeWorker, WorkKind } from '#domain/ports.ts'
import { watchWorkers } from '../background/watch-workers.ts'
import { waitForDatabase } from '../database/wait-for-database.ts'
import { errorResponder } from '../http/json-responder.ts'
import { waitingMax } from '../http/listen.ts'
import { addWaitMetrics, createRequestMetrics } from '../http/request-metrics.ts'
import { createServices, type Services } from '../services.ts'
import { createMetricsRegistry } from '../telemetry/metrics-registry.ts'
import { openPorts, type PortOptions } from './open-ports.ts'
import { startWorker } from './start-worker.ts'
import { watchSignIn } from './watch-sign-in.ts'

interface ProcessOptions
  extends Omit<PortOptions, 'registry' | 'requestMetrics' | 'informative' | 'servesRequests'> {
  /** Prepares the database before it is used; repeated while PostgreSQL is away. */
  migrate: () => Promise<void>
}

export interface ServiceProcess {
  services: Services
  /**
   * Reports that it is not ready and serves requests for SHUTDOWN_DELAY; then stops accepting work, drains requests and
   * jobs in flight, releases leases, and closes all connections. A worker doesn't wait: no requests are routed to it.
   */
  close(): Promise<void>
}

/** When the provider's responses are no longer waited for, so that starts are answered before the drain ends. */
const providerMsMax = 6_000

/**
 * Starts one process of the service: API, worker or both. It waits for PostgreSQL, and listens meanwhile. What is wrong in
 * the configuration, or at what it names, makes this reject.
 */
export async function startProcess(options: ProcessOptions): Promise<ServiceProcess> {
  const { config, dependencies, log } = options
  const { role } = config
  const [servesRequests, hasWorker] = [role !== 'worker', role !== 'api']
  // What `pg_stat_activity` shows for its connections.
  const applicationName = role === 'all' ? 'age-verification' : `age-verification-${role}`
  await using closing = new AsyncDisposableStack()
  const registry = createMetricsRegistry()
  const requestMetrics = createRequestMetrics(registry)
  const signIn = servesRequests ? watchSignIn(dependencies.oidc.issuer, log) : undefined
  closing.defer(() => signIn?.close())
  let workers: ReturnType<typeof watchWorkers> | undefined
  const informative = { signInProvider: () => signIn?.state(), worker: () => workers?.state() }
  const ports = await openPorts({ ...options, servesRequests, registry, requestMetrics, informative })
  closing.defer(() => ports.drain())
  const whenAvailable = waitForDatabase({ log, onWait: ports.open })
  await whenAvailable(options.migrate)
  let wake: WakeWorker | undefined
  const wakeWorker = (work: WorkKind) => wake?.(work)
  const waits = new WaitingRequests(waitingMax)
  const parts = { config, dependencies, log, wakeWorker, waitingRequests: waits, applicationName }
  const services = await createServices({ ...parts, registry, requestMetrics, whenAvailable })
  closing.defer(() => services.close())
  workers = watchWorkers(services.database.pool, services.clock)
  closing.defer(() => workers?.close())
  // Requests and jobs drain concurrently: sequentially they could exceed the shutdown deadline.
  const drains: (() => Promise<void>)[] = []
  const reject = errorResponder(shuttingDown, config.baseUrl)
  closing.defer(async () => {
    const hanging = setTimeout(() => void services.closeProvider(), providerMsMax)
    await Promise.all([...drains.map(drain => drain()), ports.drain(reject)])
    clearTimeout(hanging)
  })
  if (hasWorker) {
    const worker = startWorker(services)
    drains.push(() => worker.close())
    wake = worker.wake
  }
  if (servesRequests) {
    drains.push(async () => waits.end())
    addWaitMetrics(registry, () => waits.count)
  }
  await ports.serve(services)
  const close = closing.move()
  return {
    services,
    async close() {
      ports.beginDraining()
      if (servesRequests) await wait(config.shutdownDelayMs)
      await close.disposeAsync()
    },
  }
}

const shuttingDown = new DomainError('INTERNAL_ERROR', {
  message: 'The service is shutting down and could not finish the request; retry.',
  details: { reason: 'shutting_down', retryAfterSeconds: 1 },
})
