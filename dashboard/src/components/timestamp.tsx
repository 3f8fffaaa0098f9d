import classes from './timestamp.module.css'

interface Props {
  /** ISO 8601. */
  at: string
  /** Shows seconds. */
  seconds?: boolean
}

/** Local time as "20 Nov 2026, 21:22", with UTC as its tooltip. */
export function Timestamp({ at, seconds = false }: Props) {
  return (
    <time dateTime={at} title={formatUtc(at)} className={classes.timestamp}>
      {(seconds ? localSeconds : local).format(new Date(at))}
    </time>
  )
}

/** The local day as "20 Nov 2026", with UTC as its tooltip. */
export function DayOf({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatUtc(at)} className={classes.timestamp}>
      {localDay.format(new Date(at))}
    </time>
  )
}

/** Both, as "21 Nov 2026, 22:22 (2026-11-21 21:22:46 UTC)". */
export function LocalAndUtcTime({ at }: { at: string }) {
  return (
    <time dateTime={at}>
      {local.format(new Date(at))} ({formatUtc(at).replace(/\.\d+ UTC$/, ' UTC')})
    </time>
  )
}

const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const localDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })
const localSeconds = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

/** With milliseconds, for comparison with logs: 2026-11-20 21:22:46.123 UTC. */
function formatUtc(iso: string): string {
  return `${new Date(iso).toISOString().replace('T', ' ').replace('Z', '')} UTC`
}
