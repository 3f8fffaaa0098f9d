import type { Config } from '#server/configuration/config.ts'
import type { Log } from '#server/logging/log.ts'

/** What the embedded parts are started with. */
export interface EmbeddedContext {
  config: Config
  /** Absolute path of the data folder. */
  folder: string
  log: Log
  /** Disposed in reverse order on shutdown. */
  closing: AsyncDisposableStack
}

/** The address that all embedded parts listen on: not reachable from other machines. */
export const loopback = '127.0.0.1'
