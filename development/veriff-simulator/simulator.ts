import type { SessionStore } from './session-store.ts'
import type { Outbox } from './webhook/outbox.ts'

/** The state that all routes share. */
export interface Simulator {
  baseUrl: string
  apiKey: string
  /** Signs. */
  secret: string
  /** Requests signed with any of them are accepted. */
  sharedSecrets: readonly string[]
  now: () => Date
  store: SessionStore
  outbox: Outbox
  modes: Modes
}

/**
 * How an API call responds, for tests of its client. `hang` never responds, `unreachable` closes the connection,
 * `garbage` responds 200 with a body that is not JSON, `wrong-signature` responds normally but cannot be trusted,
 * `unsigned` responds without a signature, as for some integrations, `error-503` and the like respond with that status. The
 * failures create no session.
 */
export type Mode =
  | 'ok'
  | 'hang'
  | 'unreachable'
  | 'garbage'
  | 'wrong-signature'
  | 'unsigned'
  | `error-${number}`

export const modePattern = /^(ok|hang|unreachable|garbage|wrong-signature|unsigned|error-[45]\d\d)$/

export interface Modes {
  createSession: Mode
  decision: Mode
  /** `disabled`: the integration may not delete sessions, as is the provider's default. */
  deleteSession: Mode | 'disabled'
}
