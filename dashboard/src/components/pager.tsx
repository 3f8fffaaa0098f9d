import { Button, Group } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useLocation, useSearchParams } from 'react-router'

interface Props {
  paging: ReturnType<typeof usePaging>
  nextCursor: string | null | undefined
  /** For screen readers. */
  label: string
  /** Newest first if omitted. */
  order?: Order
}

type Order = 'newest-first' | 'oldest-first'

const labels: Record<Order, { first: string; previous: string; next: string }> = {
  'newest-first': { first: 'Newest', previous: 'Newer', next: 'Older' },
  'oldest-first': { first: 'Oldest', previous: 'Older', next: 'Newer' },
}

/** Hidden if there is only one page. */
export function Pager({ paging, nextCursor, label, order = 'newest-first' }: Props) {
  const { cursor, showFirst, showNext, showPrevious } = paging
  if (!cursor && !nextCursor) return null
  return (
    <Group component="nav" aria-label={label} justify="space-between" gap="xs">
      <Group gap="xs">
        <Button variant="default" size="xs" disabled={!cursor} onClick={showFirst}>
          {labels[order].first}
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={!cursor}
          leftSection={<IconChevronLeft size={14} aria-hidden />}
          onClick={showPrevious}
        >
          {labels[order].previous}
        </Button>
      </Group>
      <Button
        variant="default"
        size="xs"
        disabled={!nextCursor}
        rightSection={<IconChevronRight size={14} aria-hidden />}
        onClick={() => nextCursor && showNext(nextCursor)}
      >
        {labels[order].next}
      </Button>
    </Group>
  )
}

/**
 * Cursor pagination in the page's URL, so that pages can be linked to and Back works. Cursors only lead to the
 * next page, so those of the previous pages are stored in the history entry.
 */
export function usePaging() {
  const [params, setParams] = useSearchParams()
  const previous = previousCursors(useLocation().state)
  const cursor = params.get('cursor') ?? undefined
  const show = (next: string | undefined, cursors: string[]) => {
    const changed = new URLSearchParams(params)
    if (next) changed.set('cursor', next)
    else changed.delete('cursor')
    setParams(changed, { state: { cursors } })
  }
  return {
    cursor,
    showNext: (next: string) => show(next, [...previous, cursor ?? '']),
    showPrevious: () => show(previous.at(-1), previous.slice(0, -1)),
    showFirst: () => show(undefined, []),
  }
}

function previousCursors(state: unknown): string[] {
  const cursors = state !== null && typeof state === 'object' && 'cursors' in state ? state.cursors : []
  return Array.isArray(cursors) ? cursors : []
}
