import { useEffect } from 'react'
import { pressedKey, useKeys } from '../components/keys.ts'

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
      const isOther = event.shiftKey || event.altKey || event.getModifierState?.('AltGraph')
      const isCommand = (isApple ? event.metaKey : event.ctrlKey) && !isOther
      if (!isCommand || pressedKey(event) !== 'k') return
      event.preventDefault()
      open('palette')
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [open])
  useKeys({
    '/': () => {
      if (isCovered()) return
      const search = document.querySelector<HTMLInputElement>('main input[type=search]')
      if (search) search.focus()
      else open('palette')
    },
    '?': () => isCovered() || open('shortcuts'),
  })
}

function isCovered(): boolean {
  return document.querySelector('[role=dialog], dialog[open]') !== null
}
