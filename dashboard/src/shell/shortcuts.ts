import { useEffect } from 'react'
import { isCovered, pressedKey, useKeys } from '../components/keys.ts'

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
export const paletteKeys = isApple ? '⌘ K' : 'Ctrl K'

export const shortcuts = [
  { keys: paletteKeys, does: 'Search everything, or go to a pasted ID or key' },
  { keys: '/', does: 'Search the list of this page, if it has one, or everything' },
  { keys: 'j k', does: 'Go to the next or previous row of a list; Enter opens it' },
  { keys: '?', does: 'Show these shortcuts' },
  { keys: 'Esc', does: 'Close what is on top' },
]

/** Handles the keys of every page. Single characters count only outside of fields and dialogs. */
export function useShortcuts(toggle: (dialog: 'palette' | 'shortcuts') => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isOther = event.shiftKey || event.altKey || event.getModifierState?.('AltGraph')
      const isCommand = (isApple ? event.metaKey : event.ctrlKey) && !isOther
      if (!isCommand || pressedKey(event) !== 'k') return
      event.preventDefault()
      if (!event.repeat) toggle('palette')
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [toggle])
  useKeys({
    '/': () => {
      if (isCovered()) return
      // Not the one below a panel.
      const search = document.querySelector<HTMLInputElement>('body:not(:has([role=dialog])) main input[type=search]')
      if (search) search.focus()
      else toggle('palette')
    },
    '?': () => isCovered() || toggle('shortcuts'),
  })
}
