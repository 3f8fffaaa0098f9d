import { Radio, Stack } from '@mantine/core'
import { type Role, roleDescriptions, roleLabels, roles } from './roles.ts'

interface Props {
  role: Role
  error?: string | undefined
  onChange: (role: Role) => void
}

/** Every role with what it permits. */
export function RoleField({ role, error, onChange }: Props) {
  return (
    <Radio.Group label="Role" value={role} error={error} onChange={onChange}>
      <Stack gap="sm" mt="xs">
        {roles.map(each => (
          <Radio
            key={each}
            value={each}
            label={roleLabels[each]}
            description={roleDescriptions[each]}
            {...(each === role && { 'data-autofocus': true })}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
