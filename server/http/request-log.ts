import type { Context } from 'koa'
import type { DomainLog } from '#domain/scope.ts'
import type { Log } from '../log.ts'
import { describeRequest, setWaiting } from './access-log.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import { requestIdsOf } from './request-id.ts'

/** The log of the verbs that a request runs: each line has the ids of the request. */
export class RequestLog implements DomainLog {
  readonly #log: Log
  readonly #ctx: Context
  readonly #concurrency: ConcurrencyLimit

  constructor(log: Log, ctx: Context, concurrency: ConcurrencyLimit) {
    this.#log = log
    this.#ctx = ctx
    this.#concurrency = concurrency
  }

  info(fields: Record<string, unknown>, message: string): void {
    this.#log.info({ ...requestIdsOf(this.#ctx), ...fields }, message)
  }

  warn(fields: Record<string, unknown>, message: string): void {
    this.#log.warn({ ...requestIdsOf(this.#ctx), ...fields }, message)
  }

  describe(fields: { tenantId?: string; verificationId?: string }): void {
    describeRequest(this.#ctx, fields)
  }

  setWaiting(isWaiting: boolean): void {
    setWaiting(this.#ctx, isWaiting)
  }

  whileIdle<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#concurrency.whileIdle(this.#ctx, work)
  }
}
