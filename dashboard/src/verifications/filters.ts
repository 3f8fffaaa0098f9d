import { midnight, parseDay, type Zone } from '../components/dates.ts'
import { isStatus, type Status } from './status.ts'

export interface Filters {
  /** Any of these; all if empty. */
  statuses: Status[]
  state: CompletionState | undefined
  over18: Over18 | undefined
  reasonCode: string | undefined
  /** Relative to today. Excludes `from` and `to`. */
  period: Period | undefined
  /** Days on which verifications were created or completed, YYYY-MM-DD, both included. */
  from: string | undefined
  to: string | undefined
  by: TimeOf
  /** What the days are in: UTC, or the user's time zone. */
  zone: Zone
  /** A verification ID, or a part of one. */
  search: string | undefined
}

const completionStates = ['open', 'completed', 'attention'] as const
type CompletionState = (typeof completionStates)[number]
const over18Values = ['yes', 'no', 'unknown', 'revoked'] as const
type Over18 = (typeof over18Values)[number]
const periods = ['today', '7d', '30d', 'month'] as const
export type Period = (typeof periods)[number]
export type TimeOf = 'created' | 'completed'

/** The filters of a URL's query. Invalid values are ignored. */
export function parseFilters(params: URLSearchParams): Filters {
  const period = oneOf(periods, params.get('period'))
  return {
    statuses: [...new Set(params.getAll('status').filter(isStatus))],
    state: oneOf(completionStates, params.get('state')),
    over18: oneOf(over18Values, params.get('over18')),
    reasonCode: params.get('reason') || undefined,
    period,
    from: period ? undefined : parseDay(params.get('from')),
    to: period ? undefined : parseDay(params.get('to')),
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

/** How many fields restrict the list. */
export function countFilters(filters: Filters): number {
  const { statuses, state, over18, reasonCode, period, from, to, search } = filters
  return [statuses.length > 0, state, over18, reasonCode, period ?? from ?? to, search].filter(Boolean).length
}

/** The procedure's input: days become times, from the first midnight to the one after the last day. */
export function filterInput(filters: Filters, now: Date) {
  const { statuses, state, over18, reasonCode, search } = filters
  return {
    status: statuses.length > 0 ? statuses : undefined,
    state,
    over18,
    reasonCode,
    ...timesOf(filters, now),
    search: search?.toLowerCase(),
  }
}

/** What a user searches for: an ID, or a part of one, also out of JSON, a link or quotes. */
export function readSearch(text: string): string {
  const id = /verification(?:Id|s)\W{1,6}([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/i.exec(text)?.[1]
  const whole = id ?? /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i.exec(text)?.[0]
  return whole ?? text.replaceAll(/[\s"'`…,.<>()]/g, '')
}

export interface FilterProblem {
  field: 'search' | 'days'
  title: string
  text: string
}

/** Why the filters can match nothing; undefined if they can. */
export function problemOf({ search, from, to }: Filters): FilterProblem | undefined {
  if (search && !/^[0-9a-f-]{1,36}$/i.test(search)) {
    return {
      field: 'search',
      title: 'This is not a verification ID',
      text: 'IDs contain only digits, the letters a to f and hyphens.',
    }
  }
  if (from && to && from > to) {
    return {
      field: 'days',
      title: 'The first day is after the last',
      text: 'Choose a first day that is before the last one, or the same.',
    }
  }
  return undefined
}

function timesOf({ period, from, to, by, zone }: Filters, now: Date) {
  if (period) return { from: startOf(period, now).toISOString() }
  const [start, end] = [from && midnight(from, 0, zone), to && midnight(to, 1, zone)]
  return by === 'completed' ? { completedFrom: start, completedTo: end } : { from: start, to: end }
}

/** The midnight, in the user's time zone, with which a period that lasts until now begins. */
function startOf(period: Period, now: Date): Date {
  const [year, month, date] = [now.getFullYear(), now.getMonth(), now.getDate()]
  const first = { today: date, '7d': date - 6, '30d': date - 29, month: 1 }[period]
  return new Date(year, month, first)
}

function oneOf<Value extends string>(values: readonly Value[], text: string | null): Value | undefined {
  return values.find(value => value === text)
}
