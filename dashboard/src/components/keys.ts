import { useEffect, useEffectEvent } from 'react'

/** Of the browser's storage: `false` once the user has switched off the keys that are pressed alone. */
export const singleKeysKey = 'age-verification.single-keys'

/** What keys do that are pressed alone, outside of fields, unless they are switched off. */
export function useKeys(actions: Record<string, () => void>): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const action = actions[pressedKey(event)]
    if (!action || event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return
    if (localStorage.getItem(singleKeysKey) === 'false') return
    event.preventDefault()
    action()
  })
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

/**
 * What a key writes; with an input method, or on a layout without Latin letters, what the key at its place writes on an
 * American one. A lock of capitals changes nothing. Empty for the events without a key that fill in a field.
 */
export function pressedKey({ key = '', code = '', shiftKey }: Partial<KeyboardEvent>): string {
  const typed = key.normalize('NFKC')
  const isOther = /^(Process|Unidentified|[^\p{ASCII}\p{Script=Latin}])$/u.test(typed)
  if (!isOther) return shiftKey ? typed : typed.toLowerCase()
  if (code === 'Slash') return shiftKey ? '?' : '/'
  const letter = code.replace(/^Key/, '')
  return shiftKey ? letter : letter.toLowerCase()
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role=textbox]') !== null
  )
}

/**
 * For a dialog with nothing to scroll: its keys don't scroll the page behind it. Mantine's lock stops wheels and fingers
 * only, and one by styles would move the page by the width of its scroll bar.
 */
export function holdPage(event: Pick<KeyboardEvent, 'key' | 'target' | 'preventDefault'>): void {
  const keys = event.target instanceof HTMLInputElement ? /^Page/ : /^(Page|Home|End|Arrow)/
  if (keys.test(event.key)) event.preventDefault()
}

/** Whether a dialog covers the page and its panel, which have their keys otherwise. */
export function isCovered(): boolean {
  return document.querySelector('.mantine-Modal-content, dialog[open], [role=dialog]:popover-open') !== null
}
