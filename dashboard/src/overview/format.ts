import { dateLocale } from '../components/timestamp.tsx'

const day = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayOfYear = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeZone: 'UTC' })
const month = new Intl.DateTimeFormat(dateLocale, { month: 'long', year: 'numeric', timeZone: 'UTC' })

const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })

/** A UTC day, `YYYY-MM-DD`, as "20 Nov". */
export function formatDay(utcDay: string): string {
  return day.format(new Date(utcDay))
}

/** The weekday of a UTC day, as "Monday". */
export function formatWeekday(utcDay: string): string {
  return weekday.format(new Date(utcDay))
}

/** UTC days as "24 Oct – 22 Nov 2026". */
export function formatDays({ from, to }: { from: string; to: string }): string {
  return dayOfYear.formatRange(new Date(from), new Date(to))
}

/** The UTC month that begins with a day, as "November 2026". */
export function formatMonth(firstDay: string): string {
  return month.format(new Date(firstDay))
}

const units = [
  { seconds: 86_400, name: 'd' },
  { seconds: 3_600, name: 'h' },
  { seconds: 60, name: 'min' },
  { seconds: 1, name: 's' },
]

/** In the two largest units: 95 as "1 min 35 s", 7,200 as "2 h". */
export function formatDuration(seconds: number): string {
  let rest = Math.round(seconds)
  const parts = units.map(unit => {
    const count = Math.floor(rest / unit.seconds)
    rest -= count * unit.seconds
    return { count, name: unit.name }
  })
  const first = parts.findIndex(({ count }) => count > 0)
  const shown =
    first === -1 ? parts.slice(-1) : parts.slice(first, first + 2).filter(({ count }) => count > 0)
  return shown.map(({ count, name }) => `${count}\u00a0${name}`).join(' ')
}
