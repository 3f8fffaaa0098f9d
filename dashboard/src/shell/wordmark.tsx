import { Group, Text } from '@mantine/core'

export function Wordmark() {
  return (
    <Group gap="xs" wrap="nowrap">
      <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width={24} height={24} />
      <Text fw={600} size="sm" component="span">
        Age verification
      </Text>
    </Group>
  )
}
