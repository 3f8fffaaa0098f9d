import { toDay, toInstants, type Zone } from '../components/dates.ts'
import { type PeriodName, periodDays, periodNames } from '../components/periods.ts'
import { timeProblem } from '../components/time-fields.tsx'
import { findId, withoutPunctuation } from './pasted-id.ts'
import { isStatus, type Status } from './status.ts'

export interface Filters {
  /** Any of these; all if empty. */
  statuses: Status[]
  state: CompletionState | undefined
  over18: Over18 | undefined
  reasonCode: string | undefined
  /** Relative to today. Excludes the other times. */
  period: PeriodName | undefined
  /** Days, YYYY-MM-DD, or minutes, both included. */
  from: string | undefined
  to: string | undefined
  /** What happened at that time. It is the time that the list shows. */
  by: TimeOf
  /** What all times are in: UTC, or the user's time zone. */
  zone: Zone
  /** A verification ID, or a part of one. */
  search: string | undefined
}

const completionStates = ['open', 'completed', 'attention'] as const
type CompletionState = (typeof completionStates)[number]
const over18Values = ['yes', 'no', 'unknown', 'revoked'] as const
type Over18 = (typeof over18Values)[number]
export type TimeOf = 'created' | 'completed'

/** As the fields and the list call them. */
export const timeNames: Record<TimeOf, string> = { created: 'Created', completed: 'Completed' }

/** The filters of a URL's query. Invalid values are ignored. */
export function parseFilters(params: URLSearchParams): Filters {
  const period = oneOf(periodNames, params.get('period'))
  return {
    statuses: [...new Set(params.getAll('status').filter(isStatus))],
    state: oneOf(completionStates, params.get('state')),
    over18: oneOf(over18Values, params.get('over18')),
    reasonCode: params.get('reason') || undefined,
    period,
    from: period ? undefined : params.get('from') || undefined,
    to: period ? undefined : params.get('to') || undefined,
    by: params.get('by') === 'completed' ? 'completed' : 'created',
    zone: params.get('zone') === 'utc' ? 'utc' : 'local',
    search: params.get('search') || undefined,
  }
}

/** The query of the list's URL with these filters, as in `status=denied&from=2026-11-20`. */
export function filterQuery(filters: Partial<Filters>): URLSearchParams {
  const { statuses = [], state, over18, reasonCode, period, from, to, by, zone, search } = filters
  const named = { state, over18, reason: reasonCode, period, from, to, search }
  const query = new URLSearchParams(statuses.map(status => ['status', status]))
  for (const [name, value] of Object.entries(named)) if (value) query.set(name, value)
  if (by === 'completed') query.set('by', by)
  if (zone === 'utc') query.set('zone', zone)
  return query
}

/** The identity provider's reasons are those of denied and rejected verifications, for which no age is stored. */
export function canHaveReason({ statuses, state, over18 }: Filters): boolean {
  const isDecided = statuses.length === 0 || statuses.includes('denied') || statuses.includes('rejected')
  return isDecided && state !== 'open' && (over18 === undefined || over18 === 'unknown')
}

/** How many fields restrict the list. */
export function countFilters(filters: Filters): number {
  const { statuses, state, over18, reasonCode, period, from, to, search } = filters
  const isOutcome = statuses.length > 0 || state !== undefined || over18 !== undefined
  return [isOutcome, reasonCode, period ?? from ?? to, search].filter(Boolean).length
}

/** The procedure's input. */
export function filterInput(filters: Filters, now: Date) {
  const { statuses, state, over18, reasonCode, search, by, period, zone } = filters
  const { from, to } = toInstants(period ? periodDays(period, toDay(now, zone)) : filters, zone)
  return {
    status: statuses.length > 0 ? statuses : undefined,
    state,
    over18,
    reasonCode,
    ...(by === 'completed' ? { completedFrom: from, completedTo: to } : { from, to }),
    search: search?.toLowerCase(),
  }
}

/** What a user searches for: an ID, or a part of one, also out of JSON, a link or quotes. */
export function readSearch(text: string): string {
  return findId(text) ?? withoutPunctuation(text)
}

/** Why the filters can match nothing; undefined if they can. */
export function problemOf({ search, from, to }: Filters) {
  if (search && !/^[0-9a-f-]{1,36}$/i.test(search)) {
    return {
      field: 'search',
      title: 'This is not a verification ID',
      text: 'IDs contain only digits, the letters a to f and hyphens.',
    }
  }
  const problem = timeProblem({ from, to })
  return problem && { field: 'times', ...problem }
}

function oneOf<Value extends string>(values: readonly Value[], text: string | null): Value | undefined {
  return values.find(value => value === text)
}
