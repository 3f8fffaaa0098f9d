import { Group, NativeSelect, TextInput, Title } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { formatDays, parseDay, toUtcDay } from '../components/dates.ts'
import { serviceTime } from '../components/service-clock.ts'

/** UTC days, `YYYY-MM-DD`, both included. */
export interface Days {
  from: string
  to: string
}

const presets = [
  { name: '7d', label: 'Last 7 days' },
  { name: '30d', label: 'Last 30 days' },
  { name: '90d', label: 'Last 90 days' },
  { name: 'month', label: 'This month' },
  { name: 'last-month', label: 'Last month' },
] as const

type PresetName = (typeof presets)[number]['name']

const defaultPreset: PresetName = '30d'

/** What `usage.daily` and `usage.summary` accept at once. */
const daysMax = 366

const dayMs = 86_400_000

/** The time range in the page's URL: `?range=` a preset, or `?from=` and `?to=`. */
export function useTimeRange() {
  const [params, setParams] = useSearchParams()
  const now = new Date(serviceTime())
  const custom = { from: params.get('from') ?? '', to: params.get('to') ?? '' }
  const isCustom = params.has('from') || params.has('to')
  const preset = presets.find(({ name }) => name === params.get('range'))?.name ?? defaultPreset
  const show = (values: Record<string, string>) =>
    setParams(values, { replace: true, preventScrollReset: true })
  const days = isCustom ? custom : presetDays(preset, now)
  return {
    /** Undefined for a custom range. */
    preset: isCustom ? undefined : preset,
    days,
    /** Why the range can't be shown; undefined if it can. */
    problem: isCustom ? findProblem(custom, now) : undefined,
    showPreset: (name: PresetName) => show({ range: name }),
    showDays: ({ from, to }: Days) => show({ from, to }),
  }
}

/** Chooses the days of all that follows on the page. */
export function RangePicker(range: ReturnType<typeof useTimeRange>) {
  const { preset, days, problem, showPreset, showDays } = range
  const dayProps = { type: 'date', max: toUtcDay(new Date(serviceTime())), error: problem !== undefined }
  return (
    <Group justify="space-between" align="flex-end" gap="0.5rem 1rem" mt="xs">
      <Title order={2}>{problem ? 'Chosen days' : formatDays(days)}</Title>
      <Group gap="sm" align="flex-end">
        <NativeSelect
          aria-label="Time range (UTC)"
          value={preset ?? 'custom'}
          data={[
            ...presets.map(({ name, label }) => ({ value: name, label })),
            { value: 'custom', label: 'Custom' },
          ]}
          onChange={({ currentTarget: { value } }) =>
            value === 'custom' ? showDays(days) : showPreset(value as PresetName)
          }
        />
        {preset === undefined && (
          <>
            <TextInput
              {...dayProps}
              aria-label="First day"
              value={days.from}
              onChange={event => showDays({ ...days, from: event.currentTarget.value })}
            />
            <TextInput
              {...dayProps}
              aria-label="Last day"
              value={days.to}
              onChange={event => showDays({ ...days, to: event.currentTarget.value })}
            />
          </>
        )}
      </Group>
    </Group>
  )
}

function presetDays(preset: PresetName, now: Date): Days {
  const to = toUtcDay(now)
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  switch (preset) {
    case 'month':
      return { from: toUtcDay(new Date(Date.UTC(year, month, 1))), to }
    case 'last-month':
      return {
        from: toUtcDay(new Date(Date.UTC(year, month - 1, 1))),
        to: toUtcDay(new Date(Date.UTC(year, month, 0))),
      }
    default:
      return { from: toUtcDay(new Date(now.getTime() - (Number.parseInt(preset, 10) - 1) * dayMs)), to }
  }
}

function findProblem({ from, to }: Days, now: Date): string | undefined {
  if (!parseDay(from) || !parseDay(to)) return 'Choose the first and the last day.'
  if (from > to) return 'The first day must not be after the last day.'
  if (from > toUtcDay(now)) return 'The first day must not be in the future.'
  if ((Date.parse(to) - Date.parse(from)) / dayMs >= daysMax) return `Choose at most ${daysMax} days.`
  return undefined
}
