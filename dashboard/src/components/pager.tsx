import { Button, Group } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { usePaging } from './use-paging.ts'

interface Props {
  paging: ReturnType<typeof usePaging>
  nextCursor: string | null | undefined
  /** What is paged through, as in "Pages of verifications". */
  label: string
}

export function Pager({ paging, nextCursor, label }: Props) {
  const { cursor, showNewer, showNewest, showOlder } = paging
  if (!cursor && !nextCursor) return null
  return (
    <Group component="nav" aria-label={label} justify="space-between" gap="xs">
      <Group gap="xs">
        <Button variant="default" size="xs" disabled={!cursor} onClick={showNewest}>
          Newest
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={!cursor}
          leftSection={<IconChevronLeft size={14} aria-hidden />}
          onClick={showNewer}
        >
          Newer
        </Button>
      </Group>
      <Button
        variant="default"
        size="xs"
        disabled={!nextCursor}
        rightSection={<IconChevronRight size={14} aria-hidden />}
        onClick={() => nextCursor && showOlder(nextCursor)}
      >
        Older
      </Button>
    </Group>
  )
}
