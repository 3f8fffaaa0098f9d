import { Group, Text } from '@mantine/core'
import icon from '../../../server/pages/html/icon.svg'

export function Wordmark() {
  return (
    <Group gap="xs" wrap="nowrap">
      <img src={icon} alt="" width={24} height={24} />
      <Text fw={600} component="span">
        Age verification
      </Text>
    </Group>
  )
}
