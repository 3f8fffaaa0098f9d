import type { Modes } from './api/modes.ts'
import type { SessionStore } from './session/session-store.ts'
import type { Outbox } from './webhook/outbox.ts'

/** What every route of the stand-in works on; built once, at the start. */
export interface Simulator {
  /** Known once the server listens. */
  baseUrl: string
  apiKey: string
  sharedSecrets: string[]
  allowHttpCallback: boolean
  now: () => Date
  store: SessionStore
  outbox: Outbox
  modes: Modes
}
