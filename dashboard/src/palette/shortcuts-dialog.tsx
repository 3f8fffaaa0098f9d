import { Group, Kbd, Modal, Stack, Text } from '@mantine/core'
import { shortcuts } from '../shell/shortcuts.ts'

interface Props {
  opened: boolean
  onClose: () => void
}

export function ShortcutsDialog({ opened, onClose }: Props) {
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
