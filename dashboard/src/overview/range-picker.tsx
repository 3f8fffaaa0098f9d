import { Group, Input } from '@mantine/core'
import { useId } from 'react'
import { Icon } from '../components/icon.tsx'
import { type PresetName, presets, type useTimeRange, utcDay } from './time-range.ts'

/** Chooses the time range of the whole page. */
export function RangePicker({
  preset,
  days,
  problem,
  showPreset,
  showDays,
}: ReturnType<typeof useTimeRange>) {
  const id = useId()
  return (
    <Group gap="sm" align="flex-start">
      <Input.Wrapper id={id} label="Time range (UTC)">
        <Input
          id={id}
          component="select"
          pointer
          rightSection={<Icon name="chevron-down" size={16} />}
          rightSectionPointerEvents="none"
          value={preset ?? 'custom'}
          onChange={event => {
            const { value } = event.currentTarget
            if (value === 'custom') showDays(days)
            else showPreset(value as PresetName)
          }}
        >
          {presets.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
          <option value="custom">Custom</option>
        </Input>
      </Input.Wrapper>
      {preset === undefined && (
        <>
          <DayInput
            label="First day"
            value={days.from}
            isInvalid={problem !== undefined}
            onChange={from => showDays({ ...days, from })}
          />
          <DayInput
            label="Last day"
            value={days.to}
            isInvalid={problem !== undefined}
            onChange={to => showDays({ ...days, to })}
          />
        </>
      )}
    </Group>
  )
}

interface DayInputProps {
  label: string
  /** YYYY-MM-DD. */
  value: string
  isInvalid: boolean
  onChange: (day: string) => void
}

function DayInput({ label, value, isInvalid, onChange }: DayInputProps) {
  const id = useId()
  return (
    <Input.Wrapper id={id} label={label}>
      <Input
        id={id}
        type="date"
        value={value}
        max={utcDay(new Date())}
        error={isInvalid}
        onChange={event => onChange(event.currentTarget.value)}
      />
    </Input.Wrapper>
  )
}
