import { Group, Kbd, Stack, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { singleKeysKey } from '../components/keys.ts'
import { PopoverDialog } from '../components/popover-dialog.tsx'
import { Palette } from '../palette/palette.tsx'
import { shortcuts } from './shortcuts.ts'

export { Notifications, notifications } from '@mantine/notifications'

interface Props {
  opened: string | undefined
  onClose: (next?: 'shortcuts') => void
}

/** The dialogs of every page. */
export function Dialogs({ opened, onClose }: Props) {
  if (opened === undefined) return null
  if (opened === 'shortcuts') return <Shortcuts onClose={() => onClose()} />
  return <Palette key={opened} text={opened === 'tenants' ? 'Tenant ' : ''} onClose={onClose} />
}

function Shortcuts({ onClose }: { onClose: () => void }) {
  const [hasSingleKeys, setSingleKeys] = useLocalStorage({ key: singleKeysKey, defaultValue: true })
  return (
    <PopoverDialog title="Keyboard shortcuts" onClose={onClose}>
      <Stack gap="sm">
        {shortcuts.map(({ keys, does }) => (
          <Group key={keys} justify="space-between" wrap="nowrap">
            <Text>{does}</Text>
            <Kbd flex="none">{keys}</Kbd>
          </Group>
        ))}
        <Text component="label">
          <input
            type="checkbox"
            role="switch"
            aria-checked={hasSingleKeys}
            data-autofocus
            checked={hasSingleKeys}
            onChange={event => setSingleKeys(event.currentTarget.checked)}
          />{' '}
          Shortcuts of a single key. Switch them off if you dictate: this browser keeps your choice, and this dialog
          stays in the search.
        </Text>
      </Stack>
    </PopoverDialog>
  )
}
