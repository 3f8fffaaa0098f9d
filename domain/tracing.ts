import { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel } from 'node:diagnostics_channel'

/**
 * A part of the work for a request or job, which becomes a span of its trace. Operations are published on a channel of
 * Node's diagnostics, whose only subscriber is `server/telemetry/tracing`, where tracing is configured. Elsewhere they cost nothing.
 */
export interface Operation {
  kind: OperationKind
  /** From the program, never from input. */
  name: string
  /** Ids, codes and counts, also those that are known only when it has ended. */
  attributes?: Record<string, string | number>
  /** For a delivery: the `traceparent` of the completion that it continues, if that was traced. */
  parent?: string | null
  /** Those whose work it does together; each of their traces gets a span of it. */
  callers?: readonly (Caller | undefined)[]
}

/**
 * A `job` begins a trace of its own, and a `delivery` continues another one. The others are part of a trace that is under
 * way, or are not traced. `provider`, `webhook`, `redis` and `statement` leave the process.
 */
export type OperationKind =
  | 'verb'
  | 'transaction'
  | 'statement'
  | 'redis'
  | 'provider'
  | 'job'
  | 'delivery'
  | 'webhook'

export const operations = tracingChannel<unknown, Operation>('age-verification:operation')

/** Whether anything is traced in this process. */
export function isTraced(): boolean {
  return operations.hasSubscribers
}

/** Does the work as an operation. On hot paths, ask `isTraced` first, so that nothing is created for it. */
export function traced<Result>(operation: Operation, work: () => Promise<Result>): Promise<Result> {
  return isTraced() ? operations.tracePromise(work, operation) : work()
}

/** Runs a function in the asynchronous context of a caller, whose trace it then is a part of. */
export type Caller = <Result>(work: () => Result) => Result

/** The context of whoever calls, for work that is done later or together with others; undefined if nothing is traced. */
export function captureCaller(): Caller | undefined {
  return isTraced() ? AsyncLocalStorage.snapshot() : undefined
}

export function onBehalfOf<Result>(caller: Caller | undefined, work: () => Result): Result {
  return caller ? caller(work) : work()
}
