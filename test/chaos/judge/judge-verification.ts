import { isDeepStrictEqual } from 'node:util'
import type { Exchange } from '../clients/send.ts'
import type { Run } from '../run.ts'
import { toFacts } from './judge-answer.ts'
import { findConclusion, mayShow, mustShow, type StartEntry, type StatusBody } from './ledger.ts'

/**
 * Judges a status response about a verification whose start was acknowledged, and records its completion. It may be
 * completed without a decision only once its lifetime is over.
 */
export function judgeStatus(run: Run, exchange: Exchange, entry: StartEntry): void {
  const add = (promise: string) =>
    run.violations.add(promise, { ...toFacts(exchange), entry: shown(entry) }, exchange.sentAt)
  const body: StatusBody = exchange.body
  if (exchange.body?.error === 'VERIFICATION_NOT_FOUND' && mayShow(entry.erased, exchange.answeredAt)) return
  if (mustShow(entry.erased, exchange.sentAt)) {
    add('An erased verification is not found')
  } else if (exchange.status !== 200 || body.verificationId !== entry.verificationId) {
    add('An acknowledged verification has a status')
  } else if (entry.completion && entry.completion.receivedAt <= exchange.sentAt) {
    const expected = body.tokenRevokedAt ? revoked(entry.completion.body, body.tokenRevokedAt) : undefined
    if (!isDeepStrictEqual(body, expected ?? entry.completion.body))
      add('A completed verification never changes')
    judgeRevocation(exchange, entry, body, add)
  } else if (body.completedAt === null) {
    if (isConcludedBefore(entry, exchange.sentAt)) add('An acknowledged result is in every later status')
    if (body.confidence !== null || body.token) add('Confidence and token come with the completion')
  } else {
    judgeCompletion(run, entry, body, add)
    judgeRevocation(exchange, entry, body, add)
    entry.completion ??= { receivedAt: exchange.answeredAt, body }
  }
}

/** The part of an entry that explains a violation. */
export function shown({ tenant, ...entry }: StartEntry) {
  return { ...entry, tenant: tenant.name }
}

function isConcludedBefore({ decisions }: StartEntry, time: number): boolean {
  return decisions.some(
    ({ outcome, acknowledgedAt }) =>
      findConclusion(outcome) && acknowledgedAt !== undefined && acknowledgedAt <= time,
  )
}

function judgeCompletion(
  run: Run,
  entry: StartEntry,
  body: StatusBody,
  add: (promise: string) => void,
): void {
  const deciding = entry.decisions.filter(({ outcome }) => findConclusion(outcome) === body.status)
  if (deciding.length === 0 && !run.lifetimeIsOver) add('A verification is completed by a decision only')
  if (deciding.length === 0) return
  if ((body.status === 'approved') !== Boolean(body.token ?? body.tokenRevokedAt))
    add('Exactly the approved verifications have a token')
  if (body.tokenRevokedAt) return
  const over18 = deciding.map(({ outcome }) => over18ByOutcome[outcome] ?? null)
  if (!over18.includes(body.over18 ?? null)) add("The age is the decision's")
}

/** A completion after its token was revoked. */
function revoked({ token: _, ...body }: StatusBody, tokenRevokedAt: string): StatusBody {
  return { ...body, over18: null, tokenRevokedAt }
}

function judgeRevocation(
  { sentAt, answeredAt }: Exchange,
  { tokenRevoked }: StartEntry,
  { over18, token, tokenRevokedAt }: StatusBody,
  add: (promise: string) => void,
): void {
  if (!tokenRevokedAt) {
    if (token && mustShow(tokenRevoked, sentAt)) add('A revoked token is in no later status')
  } else if (!mayShow(tokenRevoked, answeredAt)) {
    add('Only a revoked token leaves the status')
  } else if (over18 !== null || token) {
    add('After a revocation, a status admits nobody')
  }
}

/** What is known about the age after an approval. */
const over18ByOutcome: Record<string, boolean> = { 'approve-adult': true, 'approve-minor': false }

/** Judges the validation of a token that a status response contained. */
export function judgeToken(run: Run, exchange: Exchange, entry: StartEntry): void {
  const { sentAt, answeredAt, body } = exchange
  const add = (promise: string) =>
    run.violations.add(promise, { ...toFacts(exchange), entry: shown(entry) }, sentAt)
  if (exchange.status !== 200) {
    add('Every token outcome is a 200')
    return
  }
  const { valid, over18, reason } = body
  if (reason === 'TOKEN_NOT_FOUND' && mayShow(entry.erased, answeredAt)) return
  if (mustShow(entry.erased, sentAt)) add('The token of an erased verification is not found')
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
