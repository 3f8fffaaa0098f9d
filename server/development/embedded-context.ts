import type { Config } from '../config.ts'
import type { Log } from '../log.ts'

/** What the embedded parts are made from. */
export interface EmbeddedContext {
  config: Config
  folder: string
  log: Log
  /** Undone in reverse when the service ends. */
  closing: AsyncDisposableStack
}
