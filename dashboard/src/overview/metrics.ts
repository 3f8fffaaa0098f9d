import { formatNumber, formatShare } from '../components/format-number.ts'
import type { Outputs } from '../trpc/trpc.ts'
import { formatDuration } from './format.ts'

export type Summary = Outputs['usage']['summary']
export type PeriodUsage = Summary['current']

export interface Metric {
  label: string
  value: string
  /** What the value is a part of, with its numbers. */
  basis: string
  /** Undefined if the period before has no such metric. */
  change: Change | undefined
}

interface Change {
  direction: 'up' | 'down' | 'same'
  /** With sign and unit, as "+3.1 points". */
  text: string
  /** The metric of the period before. */
  before: string
}

/** The metrics of a period, each against the period before. A metric of nothing is a dash. */
export function metricsOf({ current, previous }: Summary): Metric[] {
  return [
    {
      label: 'Started',
      value: formatNumber(current.started),
      basis: 'verifications',
      change: previous.started === 0 ? undefined : countChange(current.started, previous.started),
    },
    rate('Approval rate', current, previous, 'approved', 'decided'),
    rate('18+ rate', current, previous, 'over18', 'approved'),
    rate('Completion rate', current, previous, 'decided', 'ended'),
    {
      label: 'Median time',
      value: current.medianSeconds === null ? none : formatDuration(current.medianSeconds),
      basis: 'from start to decision',
      change: durationChange(current.medianSeconds, previous.medianSeconds),
    },
  ]
}

const none = '–'

type Count = 'approved' | 'decided' | 'ended' | 'over18'

function rate(label: string, current: PeriodUsage, previous: PeriodUsage, part: Count, whole: Count): Metric {
  const isKnown = current[whole] > 0
  return {
    label,
    value: isKnown ? formatShare(current[part], current[whole]) : none,
    basis: `${formatNumber(current[part])} of ${formatNumber(current[whole])} ${whole}`,
    change:
      isKnown && previous[whole] > 0
        ? rateChange(current[part] / current[whole], previous[part] / previous[whole])
        : undefined,
  }
}

const oneDecimal = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1, signDisplay: 'exceptZero' })
const signedShare = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
})

function rateChange(now: number, before: number): Change {
  const points = Math.round((now - before) * 1_000) / 10
  return {
    direction: directionOf(points),
    text: `${oneDecimal.format(points)} points`,
    before: formatShare(before, 1),
  }
}

function countChange(now: number, before: number): Change {
  return {
    direction: directionOf(now - before),
    text: signedShare.format((now - before) / before),
    before: formatNumber(before),
  }
}

function durationChange(now: number | null, before: number | null): Change | undefined {
  if (now === null || before === null) return undefined
  const difference = Math.round(now) - Math.round(before)
  const sign = difference > 0 ? '+' : difference < 0 ? '-' : ''
  return {
    direction: directionOf(difference),
    text: `${sign}${formatDuration(Math.abs(difference))}`,
    before: formatDuration(before),
  }
}

function directionOf(difference: number): Change['direction'] {
  if (difference === 0) return 'same'
  return difference > 0 ? 'up' : 'down'
}
