import { Modal, type ModalProps } from '@mantine/core'
import { useEffect } from 'react'

/** What had the focus last, outside of dialogs and of the menus that open them. */
let lastFocused: HTMLElement | undefined

document.addEventListener('focusin', ({ target }) => {
  const isOutside = target instanceof HTMLElement && !target.closest('.mantine-Modal-content, [role=menu]')
  if (isOutside) lastFocused = target
})

/** Another element may have taken the focus by then. */
const returnAfterMs = 10

/** Returns the focus to what opened it, or to the page's title if that is gone. Mantine looks for that too late where a dialog is drawn in a transition. */
export function Dialog(props: ModalProps) {
  const { opened, onClose } = props
  useEffect(() => {
    if (!opened) return
    const opener = lastFocused
    return () => {
      setTimeout(() => {
        const target = opener?.isConnected ? opener : document.querySelector<HTMLElement>('main h1')
        if (document.activeElement === document.body) target?.focus()
      }, returnAfterMs)
    }
  }, [opened])
  // Escape closes what covers it first.
  const close = () => document.querySelector('[role=dialog]:popover-open') || onClose()
  return <Modal returnFocus={false} {...props} onClose={close} />
}
