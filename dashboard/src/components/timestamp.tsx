import { Anchor, Text } from '@mantine/core'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import {
  formatElapsed,
  formatLocalDay,
  formatRowTime,
  formatTime,
  formatUtcDay,
  formatZones,
  type Zone,
  zoneName,
} from './dates.ts'
import { serviceTime } from './service-clock.ts'

interface Props {
  /** ISO 8601. */
  at: string
  /** Shows seconds. */
  seconds?: boolean
}

const ZoneContext = createContext<Zone>('local')

/** Names the zone of the times in it, and switches to UTC, which their tooltips show for a mouse only. */
export function ZonedTimes({ zone = 'local', children }: { zone?: Zone | undefined; children: ReactNode }) {
  const [shown = zone, show] = useState<Zone>()
  const other = shown === 'utc' ? 'local' : 'utc'
  return (
    <ZoneContext value={shown}>
      <Text size="xs" c="dimmed" mb="xs">
        Times in {zoneName(shown)}.{' '}
        {zoneName('local') !== 'UTC' && (
          <Anchor component="button" type="button" inherit onClick={() => show(other)}>
            Show {other === 'utc' ? 'UTC' : 'local times'}
          </Anchor>
        )}
      </Text>
      {children}
    </ZoneContext>
  )
}

/** "20 Nov 2026, 21:22", with its zone and UTC as the tooltip. */
export function Timestamp({ at, seconds = false }: Props) {
  return <Time at={at} text={formatTime(at, seconds, useContext(ZoneContext))} />
}

/** A time in a list, whose page names the zone: "20 Nov, 21:22". */
export function RowTime({ at, zone, seconds = false }: Props & { zone?: Zone }) {
  return <Time at={at} text={formatRowTime(at, zone, seconds)} />
}

/** The local day as "20 Nov 2026". */
export function DayOf({ at }: { at: string | null }) {
  return at ? <Time at={at} text={formatLocalDay(at)} /> : <NoValue>Never</NoValue>
}

/** Instead of a time that has not come, or another value that is missing. */
export function NoValue({ children }: { children: string }) {
  return (
    <Text span inherit c="dimmed">
      {children}
    </Text>
  )
}

/** How long ago or until then, as "2 min. ago", which counts while it is shown; the day after a week. */
export function RelativeTime({ at }: { at: string }) {
  const now = serviceTime(useNow(15_000))
  return <Time at={at} text={formatElapsed(Date.parse(at), now)} />
}

/** A day in UTC, given as "2026-11-20": "20 Nov 2026 UTC". */
export function UtcDay({ day }: { day: string }) {
  return <time dateTime={day}>{formatUtcDay(day)} UTC</time>
}

function Time({ at, text }: { at: string; text: string }) {
  return (
    <time dateTime={at} title={formatZones(at)}>
      {text}
    </time>
  )
}

/** The time in milliseconds, updated at this interval if there is one. Stands still while the page is hidden. */
export function useNow(intervalMs: number | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (intervalMs === undefined) return
    const update = () => document.hidden || setNow(Date.now())
    const timer = setInterval(update, intervalMs)
    document.addEventListener('visibilitychange', update)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [intervalMs])
  return now
}

/** Counts down to 0 from the seconds that an error tells to wait, which starts when the error is another one. */
export function useSecondsLeft(error: unknown, seconds: number): number {
  const [started, setStarted] = useState({ error, at: Date.now() })
  if (started.error !== error) setStarted({ error, at: Date.now() })
  return Math.max(0, Math.ceil(seconds - (useNow(seconds > 0 ? 1_000 : undefined) - started.at) / 1_000))
}
