import type { ServerResponse } from 'node:http'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from '#domain/database/open-database.ts'
import type { DomainLog } from '#domain/scope.ts'
import type { Config } from '../config.ts'
import { limitMin, nextConcurrencyLimit, unlimited } from './concurrency-limit.policy.ts'
import type { IdleRequests } from './idle-requests.ts'
import { measureLoopTime } from './loop-time.ts'
import { slidingCount } from './sliding-count.ts'

const stepMs = 50
/** The acceptable time of an iteration of the event loop. A request takes about five. */
const loopMsMax = 6
/** The acceptable number of statements that wait for each connection of the pool. */
const waitingPerConnectionMax = 4
/** At so many times the acceptable number requests are rejected: a sudden load is noticed before the next step. */
const queueFactorMax = 2
/** As many requests are in flight at most without an overload, or as were served in so many steps if that is more. */
const burst = { requests: 200, steps: 5 }

export interface LoadShedder {
  /** Whether the request of this response is served. It counts as in flight until the response is closed. */
  admit(response: ServerResponse): boolean
  close(): void
}

export interface LoadShedderOptions {
  /** Its queue grows if PostgreSQL is the bottleneck. */
  database: Pick<Database, 'waiting'>
  idleRequests: Pick<IdleRequests, 'count'>
  config: Pick<Config, 'databasePoolSize'>
  registry: Registry
  log: DomainLog
}

/** Decides, from the delay of the event loop and of the pool, how many requests this process serves at the same time. */
export function createLoadShedder(options: LoadShedderOptions): LoadShedder {
  const { database, idleRequests, config, registry, log } = options
  const waitingMax = config.databasePoolSize * waitingPerConnectionMax
  let limit = unlimited
  let burstMax = burst.requests
  let inFlight = 0
  let rejected = 0
  let rejectedSinceStart = 0
  const served = slidingCount(burst.steps)
  const leave = () => {
    inFlight -= 1
    served.add()
  }
  const shed = new Counter({
    name: 'age_verification_http_requests_shed_total',
    help: 'Requests that this process rejected because it was overloaded',
    registers: [registry],
  })
  new Gauge({
    name: 'age_verification_http_overloaded',
    help: 'Whether this process limits the requests in flight because it is overloaded: 1 or 0',
    registers: [registry],
    collect() {
      this.set(limit === unlimited ? 0 : 1)
    },
  })
  const servedInFlight = () => inFlight - idleRequests.count
  const loopTime = measureLoopTime()
  const timer = setInterval(() => {
    const before = limit
    const pressure = Math.max(loopTime.take() / loopMsMax, database.waiting() / waitingMax)
    limit = nextConcurrencyLimit(limit, { pressure, inFlight: servedInFlight(), rejected })
    rejected = 0
    burstMax = Math.max(burst.requests, served.endStep())
    if (limit === unlimited && before !== unlimited && rejectedSinceStart > 0) {
      log.warn({ rejected: rejectedSinceStart }, 'Overload ended; all requests are served again')
      rejectedSinceStart = 0
    }
  }, stepMs).unref()
  const isFull = () => {
    const current = servedInFlight()
    if (current < limitMin) return false
    return current >= Math.min(limit.requests, burstMax) || database.waiting() >= queueFactorMax * waitingMax
  }
  return {
    admit(response) {
      if (isFull()) {
        if (rejectedSinceStart === 0) log.warn({}, 'Overloaded: rejecting part of the requests')
        rejectedSinceStart += 1
        rejected += 1
        shed.inc()
        return false
      }
      inFlight += 1
      response.once('close', leave)
      return true
    },
    close() {
      clearInterval(timer)
      loopTime.close()
    },
  }
}
