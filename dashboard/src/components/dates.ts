import { language } from './format-number.ts'
import { serviceTime } from './service-clock.ts'

const region = readRegion()

/** The words of the page; the user's region decides the order of a date, and whether the day has 12 or 24 hours. */
const locale = new Intl.Locale(language, region === undefined ? {} : { region }).toString()

/** Undefined where the browser's language is no language tag, such as `c` in WebKitGTK or `en-US@posix`. */
function readRegion(): string | undefined {
  try {
    return new Intl.Locale(navigator.language).maximize().region
  } catch {
    return undefined
  }
}

const createFormat = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options)

/** In the browser's time zone. */
const local = {
  day: createFormat({ dateStyle: 'medium' }),
  clock: createFormat({ timeStyle: 'short' }),
  full: createFormat({ dateStyle: 'full', timeStyle: 'long' }),
}

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })

/** "20 Nov 2026, 21:22", or with seconds. */
export function formatTime(iso: string, seconds: boolean, zone: Zone): string {
  return timeFormat(zone, seconds, true).format(new Date(iso))
}

/** In a list, "20 Nov, 21:22", or with seconds; with the year if that is not this one. Breaks before the time of day only. */
export function formatRowTime(iso: string, zone: Zone = 'local', seconds = false): string {
  const time = new Date(iso)
  const hasYear = toDay(time, zone).slice(0, 4) !== toDay(new Date(serviceTime()), zone).slice(0, 4)
  const text = timeFormat(zone, seconds, hasYear).format(time).replaceAll(' ', noBreakSpace)
  return text.replace(/(?<=,)\s(?=\d+:)/, ' ')
}

const noBreakSpace = '\u00a0'

const timeFormats = new Map<string, Intl.DateTimeFormat>()

function timeFormat(zone: Zone, seconds: boolean, hasYear: boolean): Intl.DateTimeFormat {
  const name = `${zone} ${seconds} ${hasYear}`
  const format =
    timeFormats.get(name) ??
    createFormat({
      day: 'numeric',
      month: 'short',
      hour: local.clock.resolvedOptions().hour12 ? 'numeric' : '2-digit',
      minute: '2-digit',
      ...(hasYear && { year: 'numeric' }),
      ...(seconds && { second: '2-digit' }),
      ...(zone === 'utc' && { timeZone: 'UTC' }),
    })
  timeFormats.set(name, format)
  return format
}

/** "UTC" or, where that is another one, the name of the browser's time zone, as "Europe/Berlin". */
export function zoneName(zone: Zone = 'local'): string {
  return zone === 'utc'
    ? 'UTC'
    : local.clock.resolvedOptions().timeZone.replace('Etc/Unknown', 'UTC').replaceAll('_', ' ')
}

/** Local time with its zone, where that is not UTC, and UTC with milliseconds, for comparison with logs. */
export function formatZones(iso: string): string {
  const inUtc = `${new Date(iso).toISOString().replace('T', ' ').replace('Z', '')} UTC`
  const isUtc = local.full.resolvedOptions().timeZone === 'UTC'
  return isUtc ? inUtc : `${local.full.format(new Date(iso))}\n${inUtc}`
}

/** "5 sec. ago", "in 3 hr.", "yesterday"; the local day if it is more than a week away. */
export function formatElapsed(atMs: number, nowMs: number): string {
  const seconds = Math.round((atMs - nowMs) / 1_000)
  const [unit, unitSeconds] = units.find(([, size]) => Math.abs(seconds) >= size) ?? units.at(-1)!
  if (unit === 'week') return local.day.format(atMs)
  return relative.format(Math.trunc(seconds / unitSeconds), unit)
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

const utc = (options: Intl.DateTimeFormatOptions) => createFormat({ ...options, timeZone: 'UTC' })
const utcDate = utc({ dateStyle: 'medium' })
const utcDay = utc({ day: 'numeric', month: 'short' })

type UtcDays = { from: string; to: string }

/** Of milliseconds, ISO 8601 or a UTC day, `YYYY-MM-DD`. */
const timeWith = (format: Intl.DateTimeFormat) => (time: string | number) => format.format(new Date(time))
const daysWith =
  (format: Intl.DateTimeFormat) =>
  ({ from, to }: UtcDays) =>
    format.formatRange(new Date(from), new Date(to))

/** The local day as "20 Nov 2026". */
export const formatLocalDay = timeWith(local.day)
/** Local time of the day as "21:22". */
export const formatClockTime = timeWith(local.clock)
/** A UTC day as "20 Nov 2026". */
export const formatUtcDay = timeWith(utcDate)
/** A UTC day as "20 Nov". */
export const formatDay = timeWith(utcDay)
/** The weekday of a UTC day, as "Monday". */
export const formatWeekday = timeWith(utc({ weekday: 'long' }))
/** The UTC month that a day is in, as "November 2026". */
export const formatMonth = timeWith(utc({ month: 'long', year: 'numeric' }))
/** The UTC month that a day is in, as "Nov 2026". */
export const formatShortMonth = timeWith(utc({ month: 'short', year: 'numeric' }))
/** UTC days as "24 Oct – 22 Nov 2026". */
export const formatDays = daysWith(utcDate)
/** UTC days as "24 Oct – 22 Nov". */
export const formatShortDays = daysWith(utcDay)

/** The UTC day of a time, as `YYYY-MM-DD`. */
export function toUtcDay(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** Whether the calendar has this day, as `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return isMinute(`${text}T00:00`)
}

/** The same of a minute, as `YYYY-MM-DDTHH:mm`. What browsers parse can be 30 February, which becomes 2 March. */
export function isMinute(text: string): boolean {
  const at = Date.parse(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? `${text}Z` : '')
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** What days and minutes are in: UTC, or the user's time zone. */
export type Zone = 'local' | 'utc'

/** The day of a time, as `YYYY-MM-DD`. */
export function toDay(time: Date, zone: Zone): string {
  return toMinute(time, zone).slice(0, 10)
}

/** The minute of a time, as `YYYY-MM-DDTHH:mm`. */
export function toMinute(time: Date, zone: Zone): string {
  const offsetMinutes = zone === 'utc' ? 0 : time.getTimezoneOffset()
  return new Date(time.getTime() - offsetMinutes * 60_000).toISOString().slice(0, 16)
}

/** From the beginning of the first day or minute to that of the one after the last; without what is no time. */
export function toInstants({ from, to }: { from?: string | undefined; to?: string | undefined }, zone?: Zone) {
  const find = (text = '', later: number) => (isDay(text) || isMinute(text) ? instantOf(text, later, zone) : undefined)
  return { from: find(from, 0), to: find(to, 1) }
}

/** The beginning of a day or minute, or of the one that is so many later, as ISO 8601. */
export function instantOf(dayOrMinute: string, later = 0, zone: Zone = 'local'): string {
  const [year = 0, month = 1, date = 1, hour = 0, minute] = dayOrMinute.split(/\D/).map(Number)
  const [laterDays, laterMinutes] = minute === undefined ? [later, 0] : [0, later]
  const parts = [year, month - 1, date + laterDays, hour, (minute ?? 0) + laterMinutes] as const
  return (zone === 'utc' ? new Date(Date.UTC(...parts)) : new Date(...parts)).toISOString()
}
