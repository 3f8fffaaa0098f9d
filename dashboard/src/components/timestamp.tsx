import { Text } from '@mantine/core'
import { language } from './format-number.ts'
import classes from './timestamp.module.css'
import { useNow } from './use-now.ts'

interface Props {
  /** ISO 8601. */
  at: string
  /** Shows seconds. */
  seconds?: boolean
}

/** Local time as "20 Nov 2026, 21:22", with its zone and UTC as the tooltip. */
export function Timestamp({ at, seconds = false }: Props) {
  return <Time at={at} text={(seconds ? localSeconds : local).format(new Date(at))} />
}

/** The local day as "20 Nov 2026". */
export function DayOf({ at }: { at: string }) {
  return <Time at={at} text={localDay.format(new Date(at))} />
}

/** Instead of a time that has not come. */
export function NoTime({ children }: { children: string }) {
  return (
    <Text span inherit c="dimmed">
      {children}
    </Text>
  )
}

/** How long ago or until then, as "2 min. ago", which counts while it is shown; the day after a week. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow(15_000)
  return <Time at={at} text={formatElapsed(Date.parse(at), now)} />
}

/** A day in UTC, given as "2026-11-20": "20 Nov 2026 UTC". */
export function UtcDay({ day }: { day: string }) {
  return (
    <time dateTime={day} className={classes.timestamp}>
      {formatUtcDay(day)} UTC
    </time>
  )
}

function Time({ at, text }: { at: string; text: string }) {
  return (
    <time
      dateTime={at}
      title={isUtc ? formatUtc(at) : `${fullZone.format(new Date(at))}\n${formatUtc(at)}`}
      className={classes.timestamp}
    >
      {text}
    </time>
  )
}

/** A day in UTC, given as "2026-11-20": "20 Nov 2026". */
export function formatUtcDay(day: string): string {
  return utcDay.format(new Date(day))
}

/** Local time of the day as "21:22". */
export function formatClockTime(atMs: number): string {
  return clock.format(atMs)
}

/** "5 sec. ago", "in 3 hr.", "yesterday"; the local day if it is more than a week away. */
export function formatElapsed(atMs: number, nowMs: number): string {
  const seconds = Math.round((atMs - nowMs) / 1_000)
  const [unit, unitSeconds] = units.find(([, size]) => Math.abs(seconds) >= size) ?? units.at(-1)!
  if (unit === 'week') return localDay.format(atMs)
  return relative.format(Math.trunc(seconds / unitSeconds), unit)
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

const region = readRegion()

/** The words of the page; the user's region decides the order of a date, and whether the day has 12 or 24 hours. */
export const dateLocale = new Intl.Locale(language, region === undefined ? {} : { region }).toString()

/** Undefined where the browser's language is no language tag, such as `c` in WebKitGTK or `en-US@posix`. */
function readRegion(): string | undefined {
  try {
    return new Intl.Locale(navigator.language).maximize().region
  } catch {
    return undefined
  }
}

/** In the browser's time zone. */
const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(dateLocale, options)

const local = format({ dateStyle: 'medium', timeStyle: 'short' })
const localSeconds = format({ dateStyle: 'medium', timeStyle: 'medium' })
const localDay = format({ dateStyle: 'medium' })
const fullZone = format({ dateStyle: 'full', timeStyle: 'long' })
const utcDay = format({ dateStyle: 'medium', timeZone: 'UTC' })
const clock = format({ timeStyle: 'short' })
const isUtc = local.resolvedOptions().timeZone === 'UTC'
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })

/** With milliseconds, for comparison with logs: 2026-11-20 21:22:46.123 UTC. */
function formatUtc(iso: string): string {
  return `${new Date(iso).toISOString().replace('T', ' ').replace('Z', '')} UTC`
}
