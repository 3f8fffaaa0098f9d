import { Alert, Button, Group } from '@mantine/core'
import { type MouseEvent, type ReactNode, useEffect, useEffectEvent, useTransition } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { notifyError } from './notify.ts'
import { Timestamp } from './timestamp.tsx'
import { withParameter } from './url-parameter.ts'

interface Props {
  paging: ReturnType<typeof usePaging>
  nextCursor: string | null
  /** For screen readers. */
  label: string
  /** Another page is being loaded: its cursors are not known yet. */
  isPlaceholder: boolean
}

/** Hidden if there is only one page. */
export function Pager({ paging, nextCursor, label, isPlaceholder }: Props) {
  const { cursor, hasPrevious, showFirst, showNext, showPrevious } = paging
  if (!cursor && !nextCursor) return null
  return (
    <Group component="nav" aria-label={label} justify="space-between" gap="xs" onClick={readFromTop}>
      <Group gap="xs">
        <PagerButton enabled={cursor !== undefined} onClick={showFirst}>
          First
        </PagerButton>
        <PagerButton enabled={hasPrevious && !isPlaceholder} onClick={showPrevious}>
          Previous
        </PagerButton>
      </Group>
      <PagerButton enabled={Boolean(nextCursor) && !isPlaceholder} onClick={() => nextCursor && showNext(nextCursor)}>
        Next
      </PagerButton>
    </Group>
  )
}

/** The focus goes from a button of the pager to the table above it, from where the keyboard goes on to the first row. */
function readFromTop({ target, currentTarget }: MouseEvent<HTMLElement>): void {
  const isActive = (target as Element).closest('button:not([aria-disabled])') !== null
  if (isActive) currentTarget.parentElement?.querySelector('table')?.focus({ preventScroll: true })
}

interface ButtonProps {
  enabled: boolean
  onClick: () => void
  children: ReactNode
}

/** Keeps the focus when it becomes disabled, as on the last page. */
export function PagerButton({ enabled, onClick, children }: ButtonProps) {
  return (
    <Button variant="default" size="xs" {...(enabled ? { onClick } : { 'data-disabled': true, 'aria-disabled': true })}>
      {children}
    </Button>
  )
}

/**
 * Cursor pagination in the page's URL, so that pages can be linked to and Back works. Cursors only lead to the next
 * page; those of the previous pages are in the state of the history entry, where they survive a reload. A malformed
 * cursor shows the first page, and says so.
 */
export function usePaging() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const { state } = useLocation()
  const requested = params.get('cursor') ?? undefined
  const isMalformed = requested !== undefined && !cursorPattern.test(requested)
  const cursor = isMalformed ? undefined : requested
  /** The cursors of the pages before this one; empty for the first page. */
  const trail: string[] = (cursor && state?.trail) || []

  const [isPending, startPaging] = useTransition()
  const show = (next: string | undefined, options: { replace?: boolean; state?: unknown } = {}) => {
    // The URL has every earlier change, also one that is not drawn yet.
    const { search } = window.location
    if (new URLSearchParams(search).get('cursor') === (next ?? null)) return
    startPaging(async () => navigate({ search: withParameter(search, 'cursor', next) }, options))
  }

  useEffect(() => {
    if (!isMalformed || isPending) return
    show(undefined, { replace: true })
    notifyError('This page does not exist', 'Its link is incomplete or mistyped. The first page is shown.')
  })

  return {
    cursor,
    /** Another page was asked for, and is not drawn yet. */
    isPending,
    /** False on the first page, and on one that was opened by a link to it. */
    hasPrevious: trail.length > 0,
    showNext: (next: string) => show(next, { state: { trail: [...trail, cursor ?? ''] } }),
    showPrevious: () => show(trail.at(-1) || undefined, { state: { trail: trail.slice(0, -1) } }),
    showFirst: () => show(undefined),
    /** Instead of a page on which nothing was found. */
    searchOn: (next: string) => show(next, { replace: true, state: { trail } }),
  }
}

const cursorPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** For filters that match so rarely that one request searches only back to a time. It goes on until something is found. */
export function SearchedUntil({ at, isEmpty, onContinue }: { at: string; isEmpty: boolean; onContinue: () => void }) {
  const goOn = useEffectEvent(onContinue)
  useEffect(() => {
    if (isEmpty) goOn()
  }, [isEmpty])
  return (
    <Alert color="gray" title={isEmpty ? 'Searching …' : undefined} role="note">
      <Group justify="space-between" gap="xs">
        <span>
          Searched back to <Timestamp at={at} />.
        </span>
        {!isEmpty && (
          <Button variant="default" size="xs" onClick={onContinue}>
            Continue searching
          </Button>
        )}
      </Group>
    </Alert>
  )
}
