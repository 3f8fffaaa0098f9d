import { CloseButton, Group, Title } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { holdPage } from './keys.ts'
import classes from './popover-dialog.module.css'

interface Props {
  title: string
  onClose: () => void
  /** What has `data-autofocus` gets the focus. */
  children: ReactNode
}

/**
 * A dialog that is open for as long as it is rendered, above everything else. It opens in half of the time of Mantine's, or of
 * the browser's own, which has the style of each element calculated again. The browser closes it and returns the focus.
 */
export function PopoverDialog({ title, onClose, children }: Props) {
  const cover = useRef<HTMLDivElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const { current } = cover
    current?.showPopover()
    current?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => current?.hidePopover()
  }, [])
  return (
    <div
      ref={cover}
      popover="auto"
      role="dialog"
      aria-modal
      aria-labelledby={titleId}
      className={classes.cover}
      onToggle={({ newState }) => newState === 'closed' && onClose()}
      // But not the second click of a double click, whose first one has opened it.
      onClick={({ target, detail }) => target === cover.current && detail < 2 && onClose()}
      // A panel behind it would hold the wheel.
      onWheel={event => event.stopPropagation()}
      onKeyDown={event => holdKeys(event) && onClose()}
    >
      <div className={classes.card}>
        <Group justify="space-between" mb="md">
          <Title order={2} size="md" id={titleId}>
            {title}
          </Title>
          <CloseButton aria-label="Close" onClick={onClose} />
        </Group>
        {children}
      </div>
    </div>
  )
}

/** Keys don't scroll the page behind it, and Tab goes round. True for Escape: the browser would say later that it has closed. */
function holdKeys(event: KeyboardEvent<HTMLElement>): boolean {
  holdPage(event)
  if (event.key === 'Tab' || event.key === 'Escape') event.preventDefault()
  if (event.key !== 'Tab') return event.key === 'Escape'
  const stops = [
    ...event.currentTarget.querySelectorAll<HTMLElement>(':is(button, input, [tabindex]):not([tabindex="-1"])'),
  ]
  const next = stops.indexOf(document.activeElement as HTMLElement) + (event.shiftKey ? -1 : 1)
  stops.at(next % stops.length)?.focus()
  return false
}
