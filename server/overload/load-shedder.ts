import type { ServerResponse } from 'node:http'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from '#domain/database/open-database.ts'
import type { DomainLog } from '#domain/scope.ts'
import type { Config } from '../config.ts'
import { measureLoopTime } from './loop-time.ts'
import { nextSheddingState, noShedding } from './shedding.policy.ts'

const stepMs = 50
/** The acceptable time of an iteration of the event loop. A request takes about five. */
const loopMsMax = 6
/** The acceptable number of statements that wait for each connection of the pool. */
const waitingPerConnectionMax = 4
/** At so many times the acceptable number everything is rejected: a sudden overload is noticed before the next step. */
const queueFactorMax = 2

/** That many requests are served at the same time whatever the delay, which other programs on the machine can cause. */
const alwaysServed = 50

export interface LoadShedder {
  /** Whether the request of this response is served. It counts as in flight until the response is closed. */
  admit(response: ServerResponse): boolean
  close(): void
}

export interface LoadShedderOptions {
  /** Its queue grows if PostgreSQL is the bottleneck. */
  database: Pick<Database, 'waiting'>
  /** How many of the requests in flight wait for an event, and so are no load. */
  waitingRequests?: () => number
  config: Pick<Config, 'databasePoolSize'>
  registry: Registry
  log: DomainLog
  random?: () => number
}

/** Decides, from the delay of the event loop and of the pool, which share of the requests this process sheds. */
export function createLoadShedder(options: LoadShedderOptions): LoadShedder {
  const { database, waitingRequests = () => 0, config, registry, log, random = Math.random } = options
  let state = noShedding
  let shedSinceStart = 0
  let inFlight = 0
  const leave = () => {
    inFlight -= 1
  }
  const shed = new Counter({
    name: 'age_verification_http_requests_shed_total',
    help: 'Requests that this process rejected because it was overloaded',
    registers: [registry],
  })
  new Gauge({
    name: 'age_verification_http_shedding_probability',
    help: 'The share of requests that this process rejects at present, between 0 and 1',
    registers: [registry],
    collect() {
      this.set(state.probability)
    },
  })
  const waitingMax = config.databasePoolSize * waitingPerConnectionMax
  const isQueueFull = () => database.waiting() >= queueFactorMax * waitingMax
  const loopTime = measureLoopTime()
  const timer = setInterval(() => {
    const wasShedding = state.probability > 0
    const queue = database.waiting() / waitingMax
    state = nextSheddingState(state, Math.max(loopTime.take() / loopMsMax, queue))
    const isShedding = state.probability > 0
    if (isShedding && !wasShedding) shedSinceStart = 0
    if (!isShedding && wasShedding && shedSinceStart > 0) {
      log.warn({ rejected: shedSinceStart }, 'Overload ended; all requests are served again')
    }
  }, stepMs).unref()
  return {
    admit(response) {
      const isBusy = inFlight - waitingRequests() >= alwaysServed
      if (isBusy && (isQueueFull() || random() < state.probability)) {
        if (shedSinceStart === 0) log.warn({}, 'Overloaded: rejecting part of the requests')
        shedSinceStart += 1
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
