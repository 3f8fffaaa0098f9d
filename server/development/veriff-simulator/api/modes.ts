/**
 * How a call of the API is answered, for tests of its client. `hang` never answers, `unreachable` closes the
 * connection, `garbage` answers something that is not JSON, `wrong-signature` and `unsigned` answer well but
 * cannot be trusted, `error-503` and the like answer that status. None of the failures makes a session.
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
}

export const allWell: Modes = { createSession: 'ok', decision: 'ok' }
