import { Group, type TextInputProps } from '@mantine/core'
import { isDay, isMinute, toInstants } from './dates.ts'
import { DebouncedInput } from './debounced-input.tsx'

interface MinuteProps extends Pick<TextInputProps, 'label' | 'error'> {
  /** A day or a minute. */
  value: string | undefined
  /** The time that a day is shown with. */
  dayTime: string
  onChange: (value: string | undefined) => void
}

/** A day with a time, for which browsers have a calendar, keys and the phone's own picker. A year has four digits. */
function MinuteField({ value = '', dayTime, onChange, ...props }: MinuteProps) {
  return (
    <DebouncedInput
      {...props}
      type="datetime-local"
      min="1000-01-01T00:00"
      max="9999-12-31T23:59"
      flex="1 1 13rem"
      miw={0}
      value={isDay(value) ? `${value}T${dayTime}` : isMinute(value) ? value : ''}
      onSettle={text => onChange(text || undefined)}
    />
  )
}

interface RangeProps {
  from: string | undefined
  to: string | undefined
  error: boolean
  onChange: (changes: { from?: string | undefined; to?: string | undefined }) => void
}

/** From a minute to another one, both included: of whole days, the first and the last. None of them is alone on a line. */
export function TimeFields({ from, to, error, onChange }: RangeProps) {
  return (
    <Group flex="2 1 26.75rem" align="flex-start" gap="sm" miw={0}>
      <MinuteField label="From" dayTime="00:00" value={from} onChange={from => onChange({ from })} />
      <MinuteField label="To" dayTime="23:59" value={to} error={error} onChange={to => onChange({ to })} />
    </Group>
  )
}

/** Why the range can have nothing; undefined if it can. */
export function timeProblem({
  from,
  to,
}: Pick<RangeProps, 'from' | 'to'>): { title: string; text: string } | undefined {
  const { from: beginning, to: end } = toInstants({ from, to })
  const unknown = (!beginning && from) || (!end && to)
  if (unknown) {
    const text = `The calendar has no ${unknown.slice(0, 16)}. Choose another time, such as 2026-11-20 or 2026-11-20T21:00.`
    return { title: 'There is no such time', text }
  }
  if (!beginning || !end || beginning < end) return undefined
  return {
    title: 'The first time is after the last',
    text: 'Choose a first time that is before the last one, or the same.',
  }
}
