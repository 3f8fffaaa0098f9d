import type { Exchange } from '../clients/send.ts'
import type { Run } from '../run.ts'
import { factsOf } from './judge-answer.ts'
import { shown } from './judge-status.ts'
import { mayShow, mustShow, type StartEntry } from './ledger.ts'

/** Judges the validation of a token that a status response contained. */
export function judgeToken(run: Run, exchange: Exchange, entry: StartEntry): void {
  const { sentAt, answeredAt, body } = exchange
  const add = (promise: string) =>
    run.violations.add(promise, { ...factsOf(exchange), entry: shown(entry) }, sentAt)
  if (exchange.status !== 200) {
    add('Every token outcome is a 200')
    return
  }
  const { valid, over18, reason } = body
  if (valid !== over18 || valid !== (reason === 'OK')) add('valid, over18 and OK are true together')
  const isAdult = entry.completion?.body.over18 === true
  const expected = isAdult ? 'OK' : 'UNDERAGE_OR_UNKNOWN'
  if (reason === 'TOKEN_REVOKED') {
    if (!mayShow(entry.tokenRevoked, answeredAt)) add('Only a revoked token is TOKEN_REVOKED')
  } else if (reason !== expected) {
    add(`The token is ${expected}`)
  } else if (mustShow(entry.tokenRevoked, sentAt)) {
    add('A revoked token is not accepted')
  }
}
