import { Group, Kbd, Modal, Stack, Switch, Text } from '@mantine/core'
import { useLocalStorage, useMounted } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { holdPage, singleKeysKey } from '../components/keys.ts'
import { showNotificationsWith } from '../components/notify.ts'
import { Palette } from '../palette/palette.tsx'
import { shortcuts } from './shortcuts.ts'

export { Notifications } from '@mantine/notifications'

// Loaded when the first page has its data, as the typeface is then.
document.documentElement.dataset.typeface = 'loaded'
showNotificationsWith(notifications.show)

interface Props {
  opened: string | undefined
  onClose: (next?: 'shortcuts') => void
}

/** The dialogs of every page. They return the focus only if they open after they were mounted. */
export function Dialogs({ opened, onClose }: Props) {
  const shown = useMounted() ? opened : undefined
  const [hasSingleKeys, setSingleKeys] = useLocalStorage({ key: singleKeysKey, defaultValue: true })
  const first = opened === 'tenants' ? 'Tenant ' : ''
  return (
    <>
      <Palette opened={shown === 'palette' || shown === 'tenants'} text={first} onClose={onClose} />
      <Modal opened={shown === 'shortcuts'} onClose={() => onClose()} title="Keyboard shortcuts" onKeyDown={holdPage}>
        <Stack gap="sm">
          {shortcuts.map(({ keys, does }) => (
            <Group key={keys} justify="space-between" wrap="nowrap">
              <Text>{does}</Text>
              <Kbd flex="none">{keys}</Kbd>
            </Group>
          ))}
          <Switch
            label="Shortcuts of a single key"
            description="Switch them off if you dictate. This browser keeps your choice; this dialog stays in the search."
            checked={hasSingleKeys}
            onChange={event => setSingleKeys(event.currentTarget.checked)}
          />
        </Stack>
      </Modal>
    </>
  )
}
