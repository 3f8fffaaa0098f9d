import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { pressedKey, useKeys } from '../components/keys.ts'
import { useTenantPath } from '../session/session-context.ts'

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
export const paletteKeys = isApple ? '⌘ K' : 'Ctrl K'

export const shortcuts = [
  { keys: paletteKeys, does: 'Search everything, or go to a pasted ID or key' },
  { keys: '/', does: 'Search the list of this page, if it has one, or everything' },
  { keys: 'j k', does: 'Go to the next or previous verification; Enter opens it' },
  {
    keys: 'g …',
    does: 'Go to Overview (o), Verifications (v), API keys (k), Settings (s), Billing (b), Audit log (a)',
  },
  { keys: '?', does: 'Show these shortcuts' },
  { keys: 'Esc', does: 'Close what is on top' },
]

/** Where the key after `g` leads, for so long. */
const places = { o: 'overview', v: 'verifications', k: 'api-keys', s: 'settings', b: 'billing', a: 'audit-log' }
const waitMs = 1_500

/** Handles the keys of every page. Single characters count only outside of fields and dialogs. */
export function useShortcuts(toggle: (dialog: 'palette' | 'shortcuts') => void): void {
  const navigate = useNavigate()
  const toPath = useTenantPath()
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
  const go = (event: KeyboardEvent) => {
    const place = places[pressedKey(event) as keyof typeof places]
    if (!place || event.ctrlKey || event.metaKey) return
    event.stopImmediatePropagation()
    navigate(toPath(`/${place}`))
  }
  const once = () => ({ capture: true, once: true, signal: AbortSignal.timeout(waitMs) })
  useKeys({
    '/': () => {
      if (isCovered()) return
      // Not the one below a panel.
      const search = document.querySelector<HTMLInputElement>('body:not(:has([role=dialog])) main input[type=search]')
      if (search) search.focus()
      else toggle('palette')
    },
    '?': () => isCovered() || toggle('shortcuts'),
    g: () => isCovered() || window.addEventListener('keydown', go, once()),
  })
}

/** By a dialog; a panel has its page's keys. */
function isCovered(): boolean {
  return document.querySelector('.mantine-Modal-content, dialog[open]') !== null
}
