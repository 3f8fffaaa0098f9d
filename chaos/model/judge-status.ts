import { isDeepStrictEqual } from 'node:util'
import type { Exchange } from '../clients/send.ts'
import type { Run } from '../run.ts'
import { factsOf } from './judge-answer.ts'
import { conclusionOf, type StartEntry, type StatusBody } from './ledger.ts'

/**
 * Judges a status response about a verification whose start was acknowledged, and records its completion. It may be
 * completed without a decision only once its lifetime is over.
 */
export function judgeStatus(run: Run, exchange: Exchange, entry: StartEntry): void {
  const add = (promise: string) =>
    run.violations.add(promise, { ...factsOf(exchange), entry: shown(entry) }, exchange.sentAt)
  const body: StatusBody = exchange.body
  if (exchange.status !== 200 || body.verificationId !== entry.verificationId) {
    add('An acknowledged verification has a status')
  } else if (entry.completion && entry.completion.receivedAt <= exchange.sentAt) {
    if (!isDeepStrictEqual(body, entry.completion.body)) add('A completed verification never changes')
  } else if (body.completedAt === null) {
    if (isConcludedBefore(entry, exchange.sentAt)) add('An acknowledged result is in every later status')
    if (body.confidence !== null || body.token) add('Confidence and token come with the completion')
  } else {
    judgeCompletion(run, entry, body, add)
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
      conclusionOf(outcome) && acknowledgedAt !== undefined && acknowledgedAt <= time,
  )
}

function judgeCompletion(
  run: Run,
  entry: StartEntry,
  body: StatusBody,
  add: (promise: string) => void,
): void {
  const deciding = entry.decisions.filter(({ outcome }) => conclusionOf(outcome) === body.status)
  if (deciding.length === 0 && !run.lifetimeIsOver) add('A verification is completed by a decision only')
  if (deciding.length === 0) return
  if ((body.status === 'approved') !== Boolean(body.token))
    add('Exactly the approved verifications have a token')
  const over18 = deciding.map(({ outcome }) => over18Of[outcome] ?? null)
  if (!over18.includes(body.over18 ?? null)) add("The age is the decision's")
}

/** What is known about the age after an approval. */
const over18Of: Record<string, boolean> = { 'approve-adult': true, 'approve-minor': false }
