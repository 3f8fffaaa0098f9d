import type { Context } from 'koa'
import type { DomainLog } from '#domain/scope.ts'
import type { Log } from '../log.ts'
import { describeRequest, setWaiting } from './access-log.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import { requestIdsOf } from './request-id.ts'

/** The log of the verbs that a request runs: each line has the ids of the request. */
export function createRequestLog(log: Log, ctx: Context, concurrency: ConcurrencyLimit): DomainLog {
  return {
    info: (fields, message) => log.info({ ...requestIdsOf(ctx), ...fields }, message),
    warn: (fields, message) => log.warn({ ...requestIdsOf(ctx), ...fields }, message),
    describe: fields => describeRequest(ctx, fields),
    setWaiting: isWaiting => setWaiting(ctx, isWaiting),
    whileIdle: work => concurrency.whileIdle(ctx, work),
  }
}
