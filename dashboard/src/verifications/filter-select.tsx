import { NativeSelect } from '@mantine/core'

interface Props<Value extends string> {
  label: string
  /** The label of undefined. */
  any: string
  value: Value | undefined
  /** Labels. */
  options: Record<Value, string>
  onChange: (value: Value | undefined) => void
}

/** One of several values, or any. */
export function FilterSelect<Value extends string>({ label, any, value, options, onChange }: Props<Value>) {
  const values = Object.keys(options) as Value[]
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      data={[{ value: '', label: any }, ...values.map(option => ({ value: option, label: options[option] }))]}
      onChange={event => onChange(values.find(option => option === event.currentTarget.value))}
    />
  )
}
