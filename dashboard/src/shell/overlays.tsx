import {
  Drawer,
  Group,
  Kbd,
  type MantineColorScheme,
  Menu,
  Modal,
  Stack,
  Text,
  useMantineColorScheme,
} from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { startTransition } from 'react'
import { Icon } from '../components/icon.tsx'
import { showNotificationsWith } from '../components/notify.ts'
import { Palette } from '../palette/palette.tsx'
import { useSession } from '../session/session-context.ts'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { schemes } from './color-schemes.ts'
import type { MenuProps } from './header-menu.tsx'
import { Navigation } from './navigation.tsx'
import { shortcuts } from './shortcuts.ts'

export { Notifications } from '@mantine/notifications'
export { TenantMenu } from './tenant-menu.tsx'

// Loaded when the first page has its data, as the typeface is then.
document.documentElement.dataset.typeface = 'loaded'
showNotificationsWith(notifications.show)

interface Props {
  opened: string | undefined
  onClose: () => void
}

/** The dialogs of every page. They return the focus only if they open after they were mounted. */
export function Dialogs({ opened, onClose }: Props) {
  const shown = useMounted() ? opened : undefined
  return (
    <>
      <Drawer opened={shown === 'navigation'} onClose={onClose} title="Age verification" size="17rem">
        <Navigation onNavigate={onClose} />
      </Drawer>
      <Palette opened={shown === 'palette'} onClose={onClose} />
      <ShortcutsDialog opened={shown === 'shortcuts'} onClose={onClose} />
    </>
  )
}

export function ColorSchemeMenu({ opened, onChange, button }: MenuProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu opened={opened} onChange={onChange} position="bottom-end">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown aria-label="Theme">
        <Menu.RadioGroup
          value={colorScheme}
          onChange={value => startTransition(() => setColorScheme(value as MantineColorScheme))}
        >
          {Object.entries(schemes).map(([value, { label }]) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}

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

interface ShortcutsProps {
  opened: boolean
  onClose: () => void
}

function ShortcutsDialog({ opened, onClose }: ShortcutsProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts">
      <Stack gap="sm">
        {shortcuts.map(({ keys, does }) => (
          <Group key={keys} justify="space-between" wrap="nowrap">
            <Text size="sm">{does}</Text>
            <Kbd flex="none">{keys}</Kbd>
          </Group>
        ))}
      </Stack>
    </Modal>
  )
}
