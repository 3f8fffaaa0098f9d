import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconLogout, IconUserCircle } from '@tabler/icons-react'
import { useSession } from '../session/session-context.ts'
import { useSignIn } from '../sign-in/sign-in-context.ts'

export function UserMenu() {
  const { name, email, signOut } = useSignIn()
  const { membership } = useSession()
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Signed in as ${name}`}>
          <IconUserCircle size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label="User">
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)">
            {name}
          </Text>
          {email && email !== name && <Text size="xs">{email}</Text>}
          {membership && <Text size="xs">Role: {membership.role}</Text>}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
