import { Drawer, Group } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { type To, useLocation, useNavigate } from 'react-router'
import { useKeys } from './keys.ts'
import { PagerButton } from './pager.tsx'

interface Props {
  opened: boolean
  title: string
  onClose: () => void
  children: ReactNode
}

/** A panel beside a list. It stays open while a dialog covers it, which Escape closes. See `useFocusAfterClosing`. */
export function SidePanel({ onClose, ...props }: Props) {
  const close = () => document.querySelector('.mantine-Modal-content') || onClose()
  return <Drawer {...props} onClose={close} returnFocus={false} position="right" size="lg" />
}

interface NeighboursProps {
  /** Of the list beside the panel, in its order. */
  ids: readonly string[]
  shown: string
  onShow: (id: string) => unknown
}

/** The way to what is before and after in the list: also by `k` and `j`, unless a dialog covers the panel. */
export function Neighbours({ ids, shown, onShow }: NeighboursProps) {
  const index = ids.indexOf(shown)
  const [previous, next] = index === -1 ? [] : [ids[index - 1], ids[index + 1]]
  const show = (id: string | undefined) => id && !document.querySelector('.mantine-Modal-content') && onShow(id)
  useKeys({ j: () => show(next), k: () => show(previous) })
  return (
    <Group gap="xs" wrap="nowrap" title="Keys: k for the previous one, j for the next one">
      <PagerButton enabled={previous !== undefined} onClick={() => show(previous)}>
        Previous
      </PagerButton>
      <PagerButton enabled={next !== undefined} onClick={() => show(next)}>
        {index !== -1 && next === undefined ? 'Last on this page' : 'Next'}
      </PagerButton>
    </Group>
  )
}

/** A link's state by which closing the panel goes back, so that Back does not open it again. */
export const besideList = { opensBesideList: true }

/** Closes a panel that the page's URL names. `list` is the page without it, for a panel that was opened by a link to it. */
export function useClosePanel(list: To): () => unknown {
  const { state } = useLocation()
  const navigate = useNavigate()
  return () => (state?.opensBesideList ? navigate(-1) : navigate(list, { replace: true, preventScrollReset: true }))
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
