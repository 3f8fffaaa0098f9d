import { Drawer, Group } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { type To, useLocation, useNavigate } from 'react-router'
import type { Zone } from './dates.ts'
import { isCovered, useKeys } from './keys.ts'
import { PagerButton } from './pager.tsx'
import { ZonedTimes } from './timestamp.tsx'

interface Props {
  opened: boolean
  title: string
  onClose: () => void
  /** That of the list beside it. */
  zone?: Zone
  children: ReactNode
}

/** A panel beside a list. It stays open while a dialog covers it, which Escape closes. See `useFocusAfterClosing`. */
export function SidePanel({ onClose, zone, children, ...props }: Props) {
  const close = () => isCovered() || onClose()
  return (
    <Drawer {...props} onClose={close} returnFocus={false} position="right" size="lg">
      <ZonedTimes zone={zone}>{children}</ZonedTimes>
    </Drawer>
  )
}

interface NeighboursProps {
  /** Of the list beside the panel, in its order. */
  ids: readonly string[]
  shown: string
  onShow: (id: string) => unknown
}

/** The way to what is before and after in the list: also by `k` and `j`, unless a dialog covers the panel. */
export function Neighbours({ ids, shown, onShow }: NeighboursProps) {
  const place = ids.indexOf(shown)
  const isLast = place !== -1 && place === ids.length - 1
  const move = (by: number) => {
    // From the one that the URL names, which may not be drawn yet.
    const id = ids[ids.findIndex(each => window.location.href.includes(each)) + by]
    if (place !== -1 && id && !isCovered()) onShow(id)
  }
  useKeys({ j: () => move(1), k: () => move(-1) })
  return (
    <Group gap="xs" wrap="nowrap" title="Keys: k for the previous one, j for the next one">
      <PagerButton enabled={place > 0} onClick={() => move(-1)}>
        Previous
      </PagerButton>
      <PagerButton enabled={place !== -1 && !isLast} onClick={() => move(1)}>
        {isLast ? 'Last on this page' : 'Next'}
      </PagerButton>
    </Group>
  )
}

/** Options of a navigation after which closing the panel goes back, so that Back does not open it again. */
export const besideList = { state: { opensBesideList: true }, preventScrollReset: true }

/** Closes a panel that the page's URL names. `list` is the page without it, for a panel that was opened by a link to it. */
export function useClosePanel(list: To): () => unknown {
  const shown = useLocation()
  const closed = useRef<typeof shown>(null)
  const navigate = useNavigate()
  return () => {
    // It stays drawn until the browser has gone back.
    if (closed.current === shown) return
    closed.current = shown
    return shown.state?.opensBesideList ? navigate(-1) : navigate(list, { replace: true, preventScrollReset: true })
  }
}

/** When the panel has closed: to the link with the ID that opens it, or to the page's heading if the list has none. */
export function useFocusAfterClosing(linkId: string | undefined): void {
  const shown = useRef(linkId)
  useEffect(() => {
    if (linkId === undefined && shown.current !== undefined) {
      const target = document.getElementById(shown.current) ?? document.querySelector('main h1')
      if (target instanceof HTMLElement) target.focus({ preventScroll: true })
    }
    shown.current = linkId
  }, [linkId])
}
