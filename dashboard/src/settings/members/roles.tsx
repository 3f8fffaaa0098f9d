import { Radio, Stack } from '@mantine/core'
import type { Outputs } from '../../trpc/trpc.ts'

export type Member = Outputs['members']['list']['items'][number]
/** Who somebody is at the sign-in provider. */
export type User = Pick<Member, 'subject' | 'issuer'>
export type Role = Member['role']

export const roleDescriptions: Record<Role, string> = {
  viewer: 'Can view everything except secrets.',
  developer:
    'Can also create and revoke API keys, change settings, reveal and rotate the signing secret, and revoke tokens.',
  owner: 'Can also manage members, rename the tenant and erase verifications.',
}

const roles = Object.keys(roleDescriptions) as Role[]

export const roleLabels: Record<Role, string> = { viewer: 'Viewer', developer: 'Developer', owner: 'Owner' }

/** What a member is called: by name or e-mail, which are known once they have signed in, else by subject. */
export function memberName({ name, email, subject }: Pick<Member, 'name' | 'email' | 'subject'>): string {
  return name ?? email ?? subject
}

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
