import { Button, Group } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useLocation, useSearchParams } from 'react-router'

interface Props {
  paging: ReturnType<typeof usePaging>
  nextCursor: string | null | undefined
  /** For screen readers. */
  label: string
}

/** Hidden if there is only one page. */
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

/**
 * Cursor pagination in the page's URL, so that pages can be linked to and Back works. Cursors only lead to older
 * items, so those of the newer pages are stored in the history entry.
 */
export function usePaging() {
  const [params, setParams] = useSearchParams()
  const newer = newerCursors(useLocation().state)
  const cursor = params.get('cursor') ?? undefined
  const show = (next: string | undefined, cursors: string[]) => {
    const changed = new URLSearchParams(params)
    if (next) changed.set('cursor', next)
    else changed.delete('cursor')
    setParams(changed, { state: { cursors } })
  }
  return {
    cursor,
    showOlder: (next: string) => show(next, [...newer, cursor ?? '']),
    showNewer: () => show(newer.at(-1), newer.slice(0, -1)),
    showNewest: () => show(undefined, []),
  }
}

function newerCursors(state: unknown): string[] {
  const cursors = state !== null && typeof state === 'object' && 'cursors' in state ? state.cursors : []
  return Array.isArray(cursors) ? cursors : []
}
