import { type ErrorCode, errorCatalogue } from '#domain/error-codes.ts'
import { statusOf } from '#rest/errors.ts'
import type { Exchange } from '../clients/send.ts'
import { type Effect, graceMs, type Timeline, type Violations } from './timeline.ts'

/**
 * What an answer means for the request: `answered` by the operation itself, `rejected` before it had an effect, or
 * `unknown`: it may have had one.
 */
export type Verdict = 'answered' | 'rejected' | 'unknown'

/** Faults that explain an error that only they may cause, if any, and what the error says about the request. */
const excuses: { matches: (body: ErrorBody) => boolean; effects?: Effect[]; verdict: Verdict }[] = [
  // It waited for another start, whose own answer is judged.
  {
    matches: ({ message }) => message?.startsWith('The first request with this') === true,
    verdict: 'unknown',
  },
  { matches: ({ error }) => error === 'DATABASE_ERROR', effects: ['database'], verdict: 'unknown' },
  // A change of a key is announced to the caches with what PostgreSQL says of the tenant's keys.
  { matches: ({ error }) => error === 'REDIS_ERROR', effects: ['redis', 'database'], verdict: 'rejected' },
  {
    matches: ({ details }) => details?.dependency === 'identity_provider',
    effects: ['provider'],
    verdict: 'rejected',
  },
  {
    matches: ({ details }) => details?.reason === 'overloaded',
    effects: ['database', 'delay'],
    verdict: 'rejected',
  },
  { matches: ({ error }) => error === 'INTERNAL_ERROR', effects: ['reservation'], verdict: 'unknown' },
]

interface ErrorBody {
  error: ErrorCode
  /** Absent in those of the console. */
  message?: string
  details?: Record<string, unknown>
}

export interface JudgeOptions {
  timeline: Timeline
  violations: Violations
  /** How long after a fault its effects are expected, for requests that wait for others. */
  grace?: number
}

/** Judges what every answer of any endpoint has to comply with. Errors without a fault are violations. */
export function judgeAnswer(exchange: Exchange, options: JudgeOptions): Verdict {
  const { violations } = options
  if (exchange.status === undefined) return judgeSilence(exchange, options)
  if (exchange.status < 400) return 'answered'
  if (!isEnvelope(exchange)) {
    violations.add('Every error is an envelope with a code of the table', toFacts(exchange), exchange.sentAt)
    return 'unknown'
  }
  const excuse = excuses.find(({ matches }) => matches(exchange.body))
  if (!excuse) return 'answered'
  if (excuse.effects && !explained(excuse.effects, exchange, options)) {
    violations.add(
      `${exchange.body.error} only during a fault that explains it`,
      toFacts(exchange),
      exchange.sentAt,
    )
  }
  return excuse.verdict
}

/** What a violation shows of an exchange. */
export function toFacts({ process, request, sentAt, answeredAt, status, text, failure }: Exchange) {
  const answer = status === undefined ? failure : `${status} ${text.slice(0, 500)}`
  return { process, request, sentAt: Math.round(sentAt), answeredAt: Math.round(answeredAt), answer }
}

function judgeSilence(exchange: Exchange, options: JudgeOptions): Verdict {
  if (exchange.failure === 'aborted') return 'unknown'
  const effects: Effect[] = exchange.failure === 'late' ? ['delay', 'connection'] : ['connection']
  if (!explained(effects, exchange, options)) {
    options.violations.add('Every request is answered in time', toFacts(exchange), exchange.sentAt)
  }
  return exchange.failure === 'refused' ? 'rejected' : 'unknown'
}

function explained(
  effects: Effect[],
  exchange: Exchange,
  { timeline, grace = graceMs }: JudgeOptions,
): boolean {
  const { process, sentAt, answeredAt } = exchange
  return effects.some(effect => timeline.explains(effect, process, sentAt, answeredAt, grace))
}

function isEnvelope({ status, body, headers }: Exchange): boolean {
  const code = body?.error
  if (typeof code !== 'string' || !(code in errorCatalogue)) return false
  return statusOf[code as ErrorCode] === status && body.requestId === headers['x-request-id']
}
