import type { Config } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import type { ProcessMetrics } from './aggregate-metrics.ts'
import type { IpcReply, IpcRequest } from './ipc-requester.ts'

export type FromChild =
  /** The program has loaded and waits for `start`. */
  | { kind: 'loaded' }
  | { kind: 'listening' }
  /** It could not start, for the reason in this line. */
  | { kind: 'start-failed'; reason: string }
  | ({ kind: 'get-aggregated-metrics' } & IpcRequest)
  | ({ kind: 'process-metrics' } & IpcReply<ProcessMetrics>)

/** Secrets are sent over this channel only: other users can read command lines and environments. */
export type ToChild =
  | { kind: 'start'; config: Config; dependencies: Dependencies }
  | ({ kind: 'get-process-metrics' } & IpcRequest)
  | ({ kind: 'aggregated-metrics' } & IpcReply<string>)
  | { kind: 'close' }
