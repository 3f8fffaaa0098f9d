import { Group, NativeSelect, TextInput } from '@mantine/core'
import { type PresetName, presets, type useTimeRange, utcDay } from './time-range.ts'

/** Chooses the time range of the whole page. */
export function RangePicker(range: ReturnType<typeof useTimeRange>) {
  const { preset, days, problem, showPreset, showDays } = range
  const dayProps = { type: 'date', max: utcDay(new Date()), error: problem !== undefined }
  return (
    <Group gap="sm" align="flex-start">
      <NativeSelect
        label="Time range (UTC)"
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
            label="First day"
            value={days.from}
            onChange={event => showDays({ ...days, from: event.currentTarget.value })}
          />
          <TextInput
            {...dayProps}
            label="Last day"
            value={days.to}
            onChange={event => showDays({ ...days, to: event.currentTarget.value })}
          />
        </>
      )}
    </Group>
  )
}
