import { useEffect } from 'react'

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
export const paletteKeys = isApple ? '⌘ K' : 'Ctrl K'

export const shortcuts = [
  { keys: paletteKeys, does: 'Search pages, actions and tenants, or go to a pasted ID' },
  { keys: '/', does: 'Search this page' },
  { keys: 'j k', does: 'Go to the next or previous verification; Enter opens it' },
  { keys: '?', does: 'Show these shortcuts' },
  { keys: 'Esc', does: 'Close what is on top' },
]

/** Handles the keys of every page. Single characters count only outside of fields and dialogs. */
export function useShortcuts(open: (dialog: 'palette' | 'shortcuts') => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (isApple ? event.metaKey : event.ctrlKey) && !event.shiftKey) {
        event.preventDefault()
        open('palette')
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return
      if (event.key === '/') {
        event.preventDefault()
        const search = document.querySelector<HTMLInputElement>('main input[type=search]')
        if (search) search.focus()
        else open('palette')
      }
      if (event.key === '?') open('shortcuts')
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [open])
}

function isTaken(target: EventTarget | null): boolean {
  const isField =
    target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
  return isField || document.querySelector('[role=dialog], dialog[open]') !== null
}
