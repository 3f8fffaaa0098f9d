import { toUtcDay } from './dates.ts'

/** Days as `YYYY-MM-DD`, both included. */
export interface Days {
  from: string
  to: string
}

type Unit = 'week' | 'month' | 'quarter' | 'year'

/** What people ask for, by the name that it has in a URL, in the order of a menu. Weeks begin on Monday. */
const periods = {
  today: { label: 'Today', days: 1 },
  week: { label: 'This week', unit: 'week', ago: 0 },
  'last-week': { label: 'Last week', unit: 'week', ago: 1 },
  month: { label: 'This month', unit: 'month', ago: 0 },
  'last-month': { label: 'Last month', unit: 'month', ago: 1 },
  quarter: { label: 'This quarter', unit: 'quarter', ago: 0 },
  'last-quarter': { label: 'Last quarter', unit: 'quarter', ago: 1 },
  year: { label: 'This year', unit: 'year', ago: 0 },
  '7d': { label: 'Last 7 days', days: 7 },
  '30d': { label: 'Last 30 days', days: 30 },
  '90d': { label: 'Last 90 days', days: 90 },
} satisfies Record<string, Period>

type Period = { label: string } & ({ days: number } | { unit: Unit; ago: 0 | 1 })

export type PeriodName = keyof typeof periods

export const periodNames = Object.keys(periods) as PeriodName[]

/** Of a menu: the same wherever a time is chosen. */
export const periodOptions = periodNames.map(value => ({ value, label: periods[value].label }))

/** Those of the period, which ends today if it isn't over. Today is a day in UTC or in the user's time zone: so are the others. */
export function periodDays(name: PeriodName, today: string): Days {
  const period: Period = periods[name]
  if ('days' in period) return { from: addDays(today, 1 - period.days), to: today }
  const { unit, ago } = period
  return {
    from: beginningOf(unit, today, ago),
    to: ago === 0 ? today : addDays(beginningOf(unit, today), -1),
  }
}

/** The first day of the unit that a day is in, or of one some units ago. */
export function beginningOf(unit: Unit, day: string, ago = 0): string {
  const date = new Date(day)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  switch (unit) {
    case 'week':
      return addDays(day, -((date.getUTCDay() + 6) % 7) - 7 * ago)
    case 'month':
      return toUtcDay(new Date(Date.UTC(year, month - ago)))
    case 'quarter':
      return toUtcDay(new Date(Date.UTC(year, month - (month % 3) - 3 * ago)))
    case 'year':
      return toUtcDay(new Date(Date.UTC(year - ago, 0)))
  }
}

export function countDays({ from, to }: Days): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs + 1
}

export function addDays(day: string, days: number): string {
  return toUtcDay(new Date(Date.parse(day) + days * dayMs))
}

export const dayMs = 86_400_000
