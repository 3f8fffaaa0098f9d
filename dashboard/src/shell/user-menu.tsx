import { Menu, Text } from '@mantine/core'
import { Icon } from '../components/icon.tsx'
import { useSession } from '../session/session-context.ts'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import type { MenuProps } from './header-button.tsx'

export function UserMenu({ opened, onChange, button }: MenuProps) {
  const { name, email, signOut } = useSignIn()
  const { membership } = useSession()
  return (
    <Menu opened={opened} onChange={onChange} position="bottom-end" width={240}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown aria-label="User">
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)">
            {name}
          </Text>
          {email && email !== name && <Text size="xs">{email}</Text>}
          {membership && <Text size="xs">Role: {membership.role}</Text>}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="logout" size={16} />} onClick={() => signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
